import { isTreelogError, type SessionStorage, TreelogError } from "@treelog/session-core"
import { listSessions, noSessionAt, resolveRef } from "@treelog/session-core/adapter"
import { hideUrls, type OpenStore } from "@treelog/stores"
import { plural } from "@treelog-internal/text"
import { UsageError } from "../errors/usage-error.js"
import type { Scope } from "./scope.js"

/** What is shown while a session is read. */
export const READING = "Reading the session"

/** The address of a store in the place of a session: it may contain a password, which no message repeats. */
const ADDRESS = /^(?:postgres(?:ql)?|s3):\//i

export function isServerAddress(ref: string): boolean {
  return ADDRESS.test(ref)
}

/** Where a session is looked for. */
type SearchedStore = Pick<OpenStore, "storage" | "address">

/**
 * What a reference means, be it there or not.
 * @throws SessionNotFoundError, AmbiguousSessionError with descriptions of the candidates; UsageError for the address of a store
 */
export async function resolveSession({ storage, address }: SearchedStore, ref: string, scope: Scope): Promise<string> {
  if (isServerAddress(ref))
    throw new UsageError(`${hideUrls(ref)} is not a session; --store takes the address of a store.`)
  try {
    return await findKey(storage, ref, scope)
  } catch (error) {
    if (ref.startsWith("@") && isTreelogError(error, "SessionNotFoundError")) {
      const message = `${error.message.replace(/\.$/, "")} in ${address}${await unreadableIn([storage], scope)}.`
      throw new TreelogError("SessionNotFoundError", message, { ref })
    }
    if (!isTreelogError(error, "AmbiguousSessionError")) throw error
    const { describeCandidates } = await import("../errors/candidates.js")
    throw await describeCandidates(storage, error)
  }
}

/** `@last` looks in the scope; a name everywhere, and of several sessions with that name means the one of the scope. */
async function findKey(storage: SessionStorage, ref: string, scope: Scope): Promise<string> {
  if (ref.startsWith("@")) return resolveRef(storage, ref, scope)
  try {
    return await resolveRef(storage, ref, { anyFile: true })
  } catch (error) {
    if (!isTreelogError(error, "AmbiguousSessionError") || scope.cwd === undefined) throw error
    return await resolveRef(storage, ref, { ...scope, anyFile: true }).catch((other) => {
      throw isTreelogError(other, "SessionNotFoundError") ? error : other
    })
  }
}

/**
 * The key of a session that exists.
 * @param scope where `@last` looks, and whose sessions a name means first
 * @throws SessionNotFoundError also for a path at which there is nothing
 */
export async function existingSessionKey(store: SearchedStore, ref: string, scope: Scope): Promise<string> {
  const key = await resolveSession(store, ref, scope)
  if (await store.storage.stat(key)) return key
  throw noSessionAt(key, ref)
}

/** For a sentence that there is no session: how many there are that cannot be read; empty for none. */
export async function unreadableIn(storages: readonly SessionStorage[], { cwd, projectOf }: Scope): Promise<string> {
  let count = 0
  for (const storage of storages)
    for await (const { error } of listSessions(storage, cwd, { projectOf })) if (error) count += 1
  return count === 0 ? "" : `; ${plural(count, "session")} cannot be read, \`treelog verify --all\` shows why`
}
