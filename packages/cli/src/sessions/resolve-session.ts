import { noSessionAt } from "@treelog/session-core/adapter"
import { type Copy, hideUrls, type OpenStore, resolveSession } from "@treelog/stores"
import { UsageError } from "../errors/usage-error.js"
import type { Sessions } from "./command-sessions.js"
import { listed } from "./program-stores.js"
import type { Scope } from "./scope.js"

/** What is shown while a session is read. */
export const READING = "Reading the session"

/** The address of a store in the place of a session: it may contain a password, which no message repeats. */
const ADDRESS = /^(?:postgres(?:ql)?|s3):\//i

export function isServerAddress(ref: string): boolean {
  return ADDRESS.test(ref)
}

/** Says that other copies of a session are older. @param name of the store that has it */
export function copiesSentence(name: string, copies: readonly Copy[]): string {
  const places = listed([...new Set(copies.map(({ source, path }) => (source.name === name ? path : source.name)))])
  return `This is the copy in ${name}, the newest; there is an older one in ${places}.`
}

/** Where a session is looked for. */
type SearchedStore = Pick<OpenStore, "storage" | "address"> & Partial<Pick<Sessions, "log">>

/**
 * What a reference means, be it there or not.
 * @throws SessionNotFoundError, AmbiguousSessionError with descriptions of the candidates; UsageError for the address of a store
 */
async function keyOf(
  { storage, address: name, log }: SearchedStore,
  ref: string,
  { cwd, projectOf }: Scope,
): Promise<string> {
  if (isServerAddress(ref))
    throw new UsageError(`${hideUrls(ref)} is not a session; --store takes the address of a store.`)
  const path = storage.keyFromRef(ref)
  if (path !== undefined) return path
  const source = { name, storage, madeBy: "", projectOf: projectOf ?? (() => undefined) }
  try {
    const { path, copies } = await resolveSession([source], ref, cwd)
    if (copies.length > 0) await log?.(copiesSentence(name, copies))
    return path
  } catch (error) {
    const { describedError } = await import("./reference-error.js")
    throw await describedError([source], ref, cwd, error)
  }
}

/**
 * The key of a session that exists.
 * @param scope where `@last` looks, and whose sessions a name means first
 * @throws SessionNotFoundError also for a path at which there is nothing
 */
export async function existingSessionKey(store: SearchedStore, ref: string, scope: Scope): Promise<string> {
  const key = await keyOf(store, ref, scope)
  if (await store.storage.stat(key)) return key
  throw noSessionAt(key, ref)
}
