import { hasOnlySigns, type IndexFilter, type SearchHit, type SessionIndex } from "@treelog/session-core/search"

/** By term, the sessions in which anybody said it: by their keys, with the newest hit. */
export type SaidTerms = ReadonlyMap<string, ReadonlyMap<string, SearchHit>>

/** UTF-16 units of a snippet: as much as a preview shows. */
const SNIPPET = 600

/** For each term the sessions in which it is said, by what the index has. @param limit of sessions for each term, the newest texts first */
export async function sessionsSaying(
  index: SessionIndex,
  filter: IndexFilter,
  terms: readonly string[],
  limit: number,
): Promise<{ readonly said: SaidTerms; readonly isMore: boolean }> {
  const said = new Map<string, ReadonlyMap<string, SearchHit>>()
  let isMore = false
  for (const text of terms) {
    const query = {
      ...filter,
      terms: [{ text, isPrefix: true }],
      distinct: "session" as const,
      limit,
      snippet: SNIPPET,
    }
    // The index has no signs alone, and would find everything.
    const found = hasOnlySigns(query.terms) ? { sessions: [], isMore: false } : await index.search(query)
    isMore ||= found.isMore
    said.set(
      text,
      new Map(found.sessions.flatMap(({ session, hits: [hit] }) => (hit ? [[session.key, hit] as const] : []))),
    )
  }
  return { said, isMore }
}
