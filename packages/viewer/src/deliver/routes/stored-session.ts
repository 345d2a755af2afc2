import { type SessionManager, type SessionSource, TreelogError } from "@treelog/session-core"
import { readHeader, repositoryIn } from "@treelog/session-core/adapter"
import type { AnswerContext } from "./route-context.js"

/** A session that a request may see. */
export interface StoredSession {
  readonly storage: SessionSource
  readonly key: string
  readonly id: string
  readonly cwd: string
}

/**
 * Finds a session by its full id.
 * @throws SessionNotFoundError, also for a session that the request may not see; AmbiguousSessionError, InvalidSessionError, StorageError
 */
export async function storedSession(
  sessions: SessionManager<SessionSource>,
  seen: AnswerContext["seen"],
  id: string,
): Promise<StoredSession> {
  const { storage } = sessions
  const key = await sessions.resolve({ id })
  const header = await readHeader(storage, key)
  const cwd = typeof header?.cwd === "string" ? header.cwd : ""
  if (!header || seen?.has({ cwd, repository: repositoryIn(header) }) === false) throw noSuchSession(id)
  return { storage, key, id, cwd }
}

function noSuchSession(id: string): TreelogError<"SessionNotFoundError"> {
  return new TreelogError("SessionNotFoundError", `There is no session with the id ${id}.`, { ref: id })
}
