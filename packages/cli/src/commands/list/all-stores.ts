import type { SessionInfo, SessionStorage } from "@treelog/session-core"
import { compareRecency, listSessions, type StoredName } from "@treelog/session-core/adapter"
import { copiesById, type Listed } from "@treelog/stores"
import { EXIT, type ExitCode } from "../../errors/exit-codes.js"
import type { CommandContext } from "../../io/command-context.js"
import { sessionDocument } from "../../render/session-document.js"
import { byFolder, DayLines, groupLines } from "../../render/session-groups.js"
import { agentText, sessionColumns } from "../../render/session-table.js"
import { StoredIds } from "../../render/short-ids.js"
import { tableLines } from "../../render/table.js"
import { chosenStore } from "../../sessions/chosen-store.js"
import { openNamedStore } from "../../sessions/open-named-store.js"
import type { MeantStore } from "../../sessions/program-stores.js"
import { projectsOf, scopeOf } from "../../sessions/scope.js"
import { isWithin, type Times } from "../../sessions/time-options.js"
import { ListedPrices } from "../../stats/prices.js"

type StoredInfo = SessionInfo & {
  readonly store: string
  /** Older copies of the same session, in other stores. */
  readonly copies?: readonly { readonly store: string; readonly path: string }[]
}

/** Lists the sessions of all programs together, newest first. */
export async function listStores(
  context: CommandContext,
  stores: readonly MeantStore[],
  { times, limit, isGrouped }: { times: Times; limit: number | undefined; isGrouped: boolean },
): Promise<ExitCode> {
  const { io, options, style } = context
  const ids = new StoredIds()
  const found: Listed<{ readonly program: string; readonly address: string }>[] = []
  const looked: { readonly program: string; readonly address: string }[] = []
  const storages: SessionStorage[] = []
  for (const { program = "", context: own } of stores) {
    const store = await openNamedStore(own, chosenStore(own).name)
    const { cwd, projectOf } = scopeOf(own, projectsOf(store))
    const from = { program, address: store.address }
    looked.push(from)
    storages.push(store.storage)
    // A list of all sessions shows all ids.
    if (cwd !== undefined) await ids.seeAll(store.storage)
    const seeing = cwd === undefined && { onScanned: (session: Pick<StoredName, "id">) => ids.see(session) }
    for await (const info of listSessions(store.storage, cwd, { projectOf, signal: io.interrupted, ...seeing }))
      found.push({ store: from, info })
  }
  const sorted = [...copiesById(found).values()]
    .map(storedInfo)
    .filter(({ modified }) => isWithin(times, modified))
    .sort((a, b) => compareRecency(a, b) || (a.path < b.path ? -1 : 1))
    .slice(0, limit)
  const groups = isGrouped ? byFolder(sorted) : undefined
  const shown = groups ? [...groups.values()].flat() : sorted
  if (shown.length === 0) {
    const { nothingListed } = await import("./nothing-listed.js")
    return nothingListed(context, looked, times)
  }
  const prices = new ListedPrices(io)
  await prices.prepare(shown)
  if (options.json) for (const info of shown) await context.printJson(sessionDocument(info, prices.price))
  else {
    const short = await ids.short(...storages)
    const look = {
      style,
      now: io.now(),
      shortId: (id: string) => short.of(id),
      withCwd: !groups && (options.all === true || shown.some(({ cwd }) => cwd !== shown[0]?.cwd)),
      home: io.env.HOME,
      price: prices.price,
    }
    const [id, ...others] = sessionColumns(look)
    const agent = { title: "AGENT", cell: (info: SessionInfo) => agentOf(info as StoredInfo) }
    const isMixed = shown.some(({ store, copies }) => store !== shown[0]?.store || copies)
    const columns = [...(id ? [id] : []), ...(isMixed ? [agent] : []), ...others]
    await context.print(
      groups ? groupLines(groups, columns, look) : new DayLines(style).of(tableLines(columns, shown, style), shown),
    )
  }
  return EXIT.ok
}

/** The newest copy, with where the others are. */
function storedInfo([newest, ...others]: [
  Listed<{ readonly program: string }>,
  ...Listed<{ readonly program: string }>[],
]): StoredInfo {
  const copies = others.map(({ store, info }) => ({ store: store.program, path: info.path }))
  return { ...newest.info, store: newest.store.program, ...(copies.length > 0 && { copies }) }
}

function agentOf({ store, copies = [] }: StoredInfo): string {
  return agentText(
    store,
    copies.map((copy) => copy.store),
  )
}
