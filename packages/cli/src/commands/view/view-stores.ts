import { JointIndex } from "@treelog/stores"
import type { ServedPage } from "@treelog/viewer"
import { NoBlobs } from "../../blobs/no-blobs.js"
import { storedBlobs } from "../../blobs/session-blobs.js"
import type { CommandContext } from "../../io/command-context.js"
import { indexedStores } from "../../search/searched-store.js"
import { chosenStore } from "../../sessions/chosen-store.js"
import { listed } from "../../sessions/program-stores.js"
import { projectGroups } from "../../sessions/scope.js"
import { copiesLast } from "../../stats/copies-last.js"
import { openPrices } from "../../stats/prices.js"
import type { Shown } from "./until-interrupted.js"

/** Serves the page of all sessions: of the store that is named, else of those of all programs that have one on this machine. */
export async function serveAllSessions(
  context: CommandContext,
  where: { readonly token: string; readonly port: number },
): Promise<{ readonly served: ServedPage; readonly shown: Omit<Shown, "open"> }> {
  const stores = copiesLast(await indexedStores(context)).map((store) => ({
    ...store,
    name: store.program ?? nameOf(store.context),
  }))
  const projectOf = projectGroups()
  const indexes = stores.map(({ index }) => index)
  const price = (await openPrices(context.io)).at()
  const { serveStores } = await import("@treelog/viewer")
  const { sharingOf } = await import("../../transfer/share-sessions.js")
  const served = await serveStores({
    stores: await Promise.all(
      stores.map(async ({ name, sessions, index }, at) => ({
        name,
        sessions: sessions.manager,
        index: new JointIndex([index], indexes.slice(0, at)),
        price,
        projectOf,
        sharing: sharingOf(context, sessions),
        blobs: (await storedBlobs(sessions)?.open("read")) ?? new NoBlobs("--blobs names where they are"),
      })),
    ),
    home: context.io.env.HOME,
    ...where,
  })
  const names = stores.map(({ name }) => name)
  const document = { stores: stores.map(({ name, sessions: { address } }) => ({ name, address })) }
  return { served, shown: { what: `the sessions of ${listed(names)}`, document } }
}

/** The name of the one store that is meant, in addresses of the page: that of a program, or else what kind of store it is. */
function nameOf(context: CommandContext): string {
  const { name } = chosenStore(context)
  if (name.kind === "agent") return name.agent
  return name.kind === "files" ? (name.preset ?? "files") : "database"
}
