import type { SearchQuery, SearchResult, SessionHits, SessionIndex } from "@treelog/session-core/search"

/** A store, and what is asked of it. */
interface SearchedStore {
  readonly index: Pick<SessionIndex, "search">
  readonly query: SearchQuery
}

/** How hits are put together. */
type Shape = Required<Pick<SearchQuery, "sort" | "limit">>

/** Hits of several stores. */
export interface JointHits<Store> {
  readonly sessions: readonly MergedHits<Store>[]
  readonly isMore: boolean
}

/** What was found in one store. */
interface StoreResult<Store> {
  readonly store: Store
  readonly result: SearchResult
}

/** Hits of one session of one store. */
export interface MergedHits<Store> extends SessionHits {
  readonly store: Store
}

/**
 * Searches one store after the other, and puts the hits together as `mergeHits` does. Once there are more of them than the limit, another
 * store is asked only for hits that would be among the first: it reads no sessions for others.
 */
export async function searchStores<Store extends SearchedStore>(
  stores: readonly Store[],
  shape: Shape,
): Promise<JointHits<Store>> {
  const results: StoreResult<Store>[] = []
  let found: JointHits<Store> = { sessions: [], isMore: false }
  for (const store of stores) {
    const since = leastTime(found, shape)
    const isLater = since !== undefined && since > (store.query.since ?? Number.NEGATIVE_INFINITY)
    const result = await store.index.search(isLater ? { ...store.query, since } : store.query)
    results.push({ store, result })
    found = stores.length === 1 ? ofOneStore(store, result) : mergeHits(results, shape)
  }
  return found
}

function ofOneStore<Store>(store: Store, { sessions, isMore }: SearchResult): JointHits<Store> {
  return { sessions: sessions.map((found) => ({ ...found, store })), isMore }
}

/** The least time of another hit that would be among the first; undefined where it is not known that there are more. */
function leastTime({ sessions, isMore }: JointHits<unknown>, { sort, limit }: Shape): number | undefined {
  const times = sessions.flatMap(({ hits }) => hits.map(({ time }) => time))
  return sort === "newest" && isMore && times.length === limit ? Math.min(...times) + 1 : undefined
}

/**
 * The hits of several stores together, up to the limit: the newest first, or by relevance those of each store in turn, since ranks of two
 * indexes cannot be compared. Of an entry that several copies of a session have, the first is a hit.
 */
export function mergeHits<Store>(results: readonly StoreResult<Store>[], { sort, limit }: Shape): JointHits<Store> {
  const ranked = results.flatMap(({ store, result }) =>
    result.sessions
      .flatMap(({ session, hits }) => hits.map((hit) => ({ store, session, hit })))
      .map((one, rank) => ({ ...one, rank })),
  )
  ranked.sort(sort === "newest" ? (a, b) => b.hit.time - a.hit.time : (a, b) => a.rank - b.rank)
  const firsts = new Map<string, SessionHits["session"]>()
  const unique = ranked.filter(({ session, hit }) => {
    const name = JSON.stringify([session.id, hit.entryId, hit.role, hit.content])
    const first = firsts.get(name) ?? session
    firsts.set(name, first)
    return first === session
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
