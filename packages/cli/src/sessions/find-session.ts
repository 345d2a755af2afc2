import { isTreelogError, type SessionStorage } from "@treelog/session-core"
import { noSessionAt, resolveRef } from "@treelog/session-core/adapter"

/** The session that reading commands mean when none is named. */
export const NEWEST = "@last"

/** The progress text meanwhile. */
export const READING = "Reading the session"

/**
 * What a reference means, be it there or not.
 * @throws SessionNotFoundError, AmbiguousSessionError with descriptions of the candidates
 */
export async function resolved(storage: SessionStorage, ref: string, cwd: string | undefined): Promise<string> {
  try {
    return await resolveRef(storage, ref, { cwd })
  } catch (error) {
    if (!isTreelogError(error, "AmbiguousSessionError")) throw error
    const { describeCandidates } = await import("../errors/describe-candidates.js")
    throw await describeCandidates(storage, error)
  }
}

/**
 * The key of a session that exists.
 * @param cwd where names and `@last` look; undefined means everywhere
 * @throws SessionNotFoundError also for a path at which there is nothing
 */
export async function existingSessionKey(
  storage: SessionStorage,
  ref: string,
  cwd: string | undefined,
): Promise<string> {
  const key = await resolved(storage, ref, cwd)
  if (await storage.stat(key)) return key
  throw noSessionAt(key, ref)
}
