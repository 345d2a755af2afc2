import { isTreelogError } from "@treelog/session-core"
import { matchesId } from "@treelog/session-core/adapter"
import { parseQuery, type SessionIndex } from "@treelog/session-core/search"
import type { IndexAnswer } from "../../wire.js"
import type { IndexUpdates } from "../routes/index-updates.js"

/** Further hits are left out. */
const MOST_HITS = 2_000

/** A session, and the index to search it in. */
export interface SearchedSession {
  readonly key: string
  readonly sessionId: string
  readonly index: () => Promise<Pick<SessionIndex, "search">>
  readonly updates: IndexUpdates
}

/**
 * Finds the entries of a session by a query as `parseQuery` reads it.
 * @returns undefined if there is no index, or the session is not in it
 * @throws InvalidArgumentError for a text that is not a query; StorageError when the index cannot be read or updated
 */
export async function searchSession(
  session: SearchedSession | undefined,
  text: string,
): Promise<IndexAnswer | undefined> {
  const query = parseQuery(text, Date.now())
  if (!session) return undefined
  const { key, sessionId, updates } = session
  if (query.session !== undefined && !matchesId(query.session, sessionId)) return { ids: [], isMore: false }
  try {
    const index = await session.index()
    const indexing = await updates.settled()
    const known = await index.search({ session: sessionId, limit: 1, snippet: 1 })
    if (!indexing && !known.sessions.some((found) => found.session.key === key)) return undefined
    const { sessions, isMore } = await index.search({ ...query, session: sessionId, limit: MOST_HITS, snippet: 1 })
    const ids = new Set(sessions.flatMap(({ hits }) => hits.map(({ entryId }) => entryId)))
    return { ids: [...ids], isMore, ...(indexing && { indexing }) }
  } catch (error) {
    if (isTreelogError(error, "IndexUnavailableError")) return undefined
    throw error
  }
}
