import { relative } from "node:path"
import { isTreelogError, TreelogError } from "@treelog/session-core"
import {
  agentOfFile,
  type FoundCopies,
  findSession,
  hideUrls,
  isRecency,
  JointStorage,
  type OpenStore,
} from "@treelog/stores"
import { UsageError } from "../errors/usage-error.js"
import type { CommandContext } from "../io/command-context.js"
import { chosenStore } from "./chosen-store.js"
import { openNamedStore } from "./open-named-store.js"
import { listed, listedStores, type MeantStore, openEach } from "./program-stores.js"
import { isServerAddress, unreadableIn } from "./resolve-session.js"
import { projectsOf, scopeOf } from "./scope.js"

/** A store, and a reference that means one session in it. */
export interface FoundStore {
  readonly context: CommandContext
  readonly ref: string
}

type Opened = MeantStore & OpenStore

/**
 * The session that a reference means, in the store that has it. Of several copies it is the newest, which stderr says. A path means its file,
 * whichever program wrote it, inside of a store or outside.
 * @throws SessionNotFoundError; AmbiguousSessionError with descriptions of the candidates; UsageError for the address of a store
 */
export async function findInStores(
  context: CommandContext,
  meant: readonly MeantStore[],
  ref: string,
): Promise<FoundStore> {
  if (isServerAddress(ref))
    throw new UsageError(`${hideUrls(ref)} is not a session; --store takes the address of a store.`)
  const stores: Opened[] = await openEach(context, meant, async (one) => ({
    ...one,
    ...(await openNamedStore(one.context, chosenStore(one.context).name)),
  }))
  const [first, ...rest] = stores
  if (!first) throw await notFound(stores, ref)
  const path = first.storage.keyFromRef(ref)
  if (path !== undefined) return { context: await contextOfPath(context, stores, path), ref: path }
  const found = await findAmong([first, ...rest], ref)
  await logCopies(context, found)
  return { context: found.store.context, ref: found.key }
}

async function findAmong(stores: readonly [Opened, ...Opened[]], ref: string): Promise<FoundCopies<Opened>> {
  try {
    return await findSession(stores, ref, (store) => scopeOf(store.context, projectsOf(store.context, store)))
  } catch (error) {
    if (isTreelogError(error, "SessionNotFoundError")) throw await notFound(stores, ref)
    if (!isTreelogError(error, "AmbiguousSessionError")) throw error
    const { describeCandidates } = await import("../errors/candidates.js")
    const [first, ...rest] = stores
    throw await describeCandidates(new JointStorage([first.storage, ...rest.map(({ storage }) => storage)]), error)
  }
}

/** The context of the store that a file belongs to: by what wrote it, else by where it is. */
async function contextOfPath(
  context: CommandContext,
  stores: readonly Opened[],
  path: string,
): Promise<CommandContext> {
  const inside = stores.find(({ address }) => isWithin(address, path))
  const agent = (await agentOfFile(path)) ?? (inside ? undefined : path.endsWith(".jsonl.zst") ? "codex" : undefined)
  if (inside && (agent === undefined || agent === inside.agent)) return inside.context
  const { agentDir: _, sessionDir: __, ...options } = context.options
  if (agent !== undefined) return context.with({ ...options, store: agent })
  const [only] = stores.length === 1 ? stores : []
  return only && !only.agent ? only.context : context.with({ ...options, store: "treelog" })
}

function isWithin(folder: string, path: string): boolean {
  return !relative(folder, path).startsWith("..")
}

/** Says that other copies of a session are older. */
async function logCopies(context: CommandContext, { store, others }: FoundCopies<Opened>): Promise<void> {
  if (others.length === 0) return
  const places = listed([...new Set(others.map((other) => nameOf(other.store)))])
  await context.log(`This is the copy in ${nameOf(store)}, the newest; there is an older one in ${places}.`)
}

async function notFound(stores: readonly Opened[], ref: string): Promise<TreelogError<"SessionNotFoundError">> {
  const where = `in the ${stores.length === 1 ? "store" : "stores"} of ${listedStores(stores.map(nameOf))}`
  const isEverywhere = stores.some(({ context }) => context.options.all)
  const scope = isEverywhere || !stores[0] ? {} : scopeOf(stores[0].context, projectsOf(stores[0].context, stores[0]))
  const storages = stores.map(({ storage }) => storage)
  const unread = isRecency(ref) ? await unreadableIn(storages, scope) : ""
  const message = isRecency(ref)
    ? isEverywhere
      ? `There is no session ${where} that ${ref} could mean${unread}.`
      : `There is no session of this folder ${where} that ${ref} could mean; --all looks in every folder${unread}.`
    : `There is no session ${JSON.stringify(ref)} ${where}; \`treelog list --all\` lists them.`
  return new TreelogError("SessionNotFoundError", message, { ref })
}

function nameOf({ program, address }: Opened): string {
  return program ?? address
}
