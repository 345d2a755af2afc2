import { relative } from "node:path"
import { isTreelogError, type SessionInfo, TreelogError } from "@treelog/session-core"
import { comparePreference, recentSessions } from "@treelog/session-core/adapter"
import type { OpenStore } from "@treelog/stores"
import { UsageError } from "../errors/usage-error.js"
import type { CommandContext } from "../io/command-context.js"
import { chosenStore } from "./chosen-store.js"
import { openNamedStore } from "./open-named-store.js"
import { listed, type MeantStore } from "./program-stores.js"
import { existingSessionKey } from "./resolve-session.js"
import { projectsOf, scopeOf } from "./scope.js"

/** `@last`, `@-2`: counted over all stores. */
const RECENT = /^@(?:last|-([1-9]\d{0,5}))$/

/** A store, and a reference that means one session in it. */
export interface FoundStore {
  readonly context: CommandContext
  readonly ref: string
}

interface Opened extends MeantStore {
  readonly store: OpenStore
}

/**
 * The session that a reference means, in that one of several stores that has it, or in treelog's own.
 * @throws SessionNotFoundError; UsageError where several have it
 */
export async function findInStores(meant: readonly MeantStore[], ref: string): Promise<FoundStore> {
  const stores: Opened[] = []
  for (const one of meant)
    stores.push({ ...one, store: await openNamedStore(one.context, chosenStore(one.context).name) })
  const recent = RECENT.exec(ref)
  if (recent) return recentOf(stores, ref, Number(recent[1] ?? 1))
  const found = await holdersOf(stores, ref)
  const [first, ...others] = found
  if (!first) throw notFound(stores, ref)
  // What was imported is meant, not its source.
  if (others.length === 0 || first.program === "treelog") return { context: first.context, ref }
  throw new UsageError(`${ref} is a session of ${listed(namesOf(found))}; --store names one.`, { ref })
}

/** The n-th newest session of all stores, by its key. */
async function recentOf(stores: readonly Opened[], ref: string, count: number): Promise<FoundStore> {
  const sessions: (Pick<SessionInfo, "modified" | "kind"> & FoundStore)[] = []
  for (const { context, store } of stores) {
    const { cwd, project } = scopeOf(context, projectsOf(store))
    for (const { path, modified, kind } of await recentSessions(store.storage, cwd, count, project))
      sessions.push({ context, ref: path, modified, ...(kind && { kind }) })
  }
  const nth = sessions.sort(comparePreference)[count - 1]
  if (nth) return nth
  throw notFound(stores, ref)
}

/** The stores that have a session. A path means the store that it lies in, else treelog's own. */
async function holdersOf(stores: readonly Opened[], ref: string): Promise<Opened[]> {
  const [first] = stores
  const path = first?.store.storage.keyFromRef(ref)
  if (path !== undefined) return [stores.find(({ store }) => isWithin(store.address, path)) ?? (first as Opened)]
  const found: Opened[] = []
  for (const one of stores) {
    try {
      await existingSessionKey(one.store.storage, ref, scopeOf(one.context, projectsOf(one.store)))
      found.push(one)
    } catch (error) {
      if (!isTreelogError(error, "SessionNotFoundError")) throw error
    }
  }
  return found
}

function isWithin(folder: string, path: string): boolean {
  return !relative(folder, path).startsWith("..")
}

function notFound(stores: readonly Opened[], ref: string): TreelogError<"SessionNotFoundError"> {
  const what = RECENT.test(ref) ? "There is no session here" : `There is no session ${JSON.stringify(ref)}`
  const message = `${what} in the stores of ${listed(namesOf(stores))}; --all looks in every folder, \`treelog list --all\` lists them.`
  return new TreelogError("SessionNotFoundError", message, { ref })
}

function namesOf(stores: readonly MeantStore[]): string[] {
  return stores.map(({ program }) => program ?? "treelog")
}
