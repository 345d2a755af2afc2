import { relative } from "node:path"
import { isTreelogError, TreelogError } from "@treelog/session-core"
import { listSessions } from "@treelog/session-core/adapter"
import { UsageError } from "../errors/usage-error.js"
import type { CommandContext } from "../io/command-context.js"
import { existingSessionKey } from "./find-session.js"
import { type OpenStore, openStore } from "./open-store.js"
import { listed, type MeantStore } from "./program-stores.js"
import { projectsOf, scopeOf } from "./scope.js"
import { chosenStore } from "./store-name.js"

/** `@last`, `@-2`: counted over all stores. */
const RECENT = /^@(?:last|-([1-9]\d{0,5}))$/

interface Opened extends MeantStore {
  readonly store: OpenStore
}

/**
 * The surroundings of a command in that one of several stores that has the session.
 * @throws SessionNotFoundError; UsageError where several have it
 */
export async function contextOfHolder(meant: readonly MeantStore[], ref: string): Promise<CommandContext> {
  const stores: Opened[] = []
  for (const one of meant) stores.push({ ...one, store: await openStore(one.context, chosenStore(one.context).name) })
  const recent = RECENT.exec(ref)
  const found = recent ? await recentOf(stores, Number(recent[1] ?? 1)) : await holdersOf(stores, ref)
  const [first, ...others] = found
  if (!first) throw notFound(stores, ref)
  if (others.length === 0) return first.context
  throw new UsageError(`${ref} is a session of ${listed(namesOf(found))}; --store names one.`, { ref })
}

/** The store that has the n-th newest session. */
async function recentOf(stores: readonly Opened[], count: number): Promise<Opened[]> {
  const sessions: { readonly in: Opened; readonly modified: number }[] = []
  for (const one of stores) {
    const { cwd, project } = scopeOf(one.context, projectsOf(one.store))
    const settings = { project, order: "newest" as const, limit: count, signal: one.context.io.interrupted }
    for await (const { modified, error } of listSessions(one.store.storage, cwd, settings))
      if (!error) sessions.push({ in: one, modified })
  }
  const nth = sessions.sort((a, b) => b.modified - a.modified)[count - 1]
  return nth ? [nth.in] : []
}

/** The stores that have a session. A path means the store that it lies in, else treelog's own. */
async function holdersOf(stores: readonly Opened[], ref: string): Promise<Opened[]> {
  const found: (Opened & { readonly key: string })[] = []
  for (const one of stores) {
    const { storage } = one.store
    try {
      const key = await existingSessionKey(storage, ref, scopeOf(one.context, projectsOf(one.store)))
      if (storage.keyFromRef(ref) === undefined || isWithin(one.store.address, key)) found.push({ ...one, key })
    } catch (error) {
      if (!isTreelogError(error, "SessionNotFoundError")) throw error
    }
  }
  const [first] = stores
  const isPath = first?.store.storage.keyFromRef(ref) !== undefined
  return found.length === 0 && isPath && first ? [first] : found
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
