import type { SearchQuery, SearchResult, SessionHits } from "@treelog/session-core/search"

/** What was found in one store. */
export interface StoreResult<Store> {
  readonly store: Store
  readonly result: SearchResult
}

/** Hits of one session of one store. */
export interface MergedHits<Store> extends SessionHits {
  readonly store: Store
}

/**
 * The hits of several stores together, up to the limit: the newest first, or by relevance those of each store in turn, since ranks of two
 * indexes cannot be compared. Of an entry that several copies of a session have, the first is a hit.
 */
export function mergeHits<Store>(
  results: readonly StoreResult<Store>[],
  { sort, limit }: Required<Pick<SearchQuery, "sort" | "limit">>,
): { readonly sessions: readonly MergedHits<Store>[]; readonly isMore: boolean } {
  const ranked = results.flatMap(({ store, result }) =>
    result.sessions
      .flatMap(({ session, hits }) => hits.map((hit) => ({ store, session, hit })))
      .map((one, rank) => ({ ...one, rank })),
  )
  ranked.sort(sort === "newest" ? (a, b) => b.hit.time - a.hit.time : (a, b) => a.rank - b.rank)
  const seen = new Set<string>()
  const unique = ranked.filter(({ session, hit }) => {
    const name = JSON.stringify([session.id, hit.entryId, hit.role])
    return !seen.has(name) && seen.add(name)
  })
  const groups = new Map<
    SessionHits["session"],
    { store: Store; session: SessionHits["session"]; hits: SessionHits["hits"][number][] }
  >()
  for (const { store, session, hit } of unique.slice(0, limit)) {
    const group = groups.get(session) ?? { store, session, hits: [] }
    groups.set(session, group)
    group.hits.push(hit)
  }
  return {
    sessions: [...groups.values()],
    isMore: results.some(({ result }) => result.isMore) || unique.length > limit,
  }
}
