import type { SessionHits } from "@treelog/session-core/search"
import type { CommandContext } from "../io/command-context.js"
import { refreshIndex, warnOfUnread } from "./refresh-index.js"
import type { StoreSearch } from "./searched-store.js"

/** Hits of one session of one store. */
export interface StoreHits {
  readonly search: StoreSearch
  readonly found: SessionHits
}

/**
 * The hits of several stores together, up to the limit: the newest first, or by relevance those of each store in turn, since the ranks
 * of two indexes cannot be compared. Each index is brought up to date before.
 */
export async function jointSearch(
  context: CommandContext,
  searches: readonly StoreSearch[],
  { sort, limit }: { readonly sort: "newest" | "relevance"; readonly limit: number },
): Promise<{ readonly hits: readonly StoreHits[]; readonly isMore: boolean }> {
  const hits: {
    search: StoreSearch
    session: SessionHits["session"]
    hit: SessionHits["hits"][number]
    rank: number
  }[] = []
  let isMore = false
  for (const search of searches) {
    warnOfUnread(context, await refreshIndex(context, search.index))
    const result = await search.index.search(search.query)
    isMore ||= result.isMore
    let rank = 0
    for (const { session, hits: own } of result.sessions)
      for (const hit of own) hits.push({ search, session, hit, rank: rank++ })
  }
  hits.sort(sort === "newest" ? (a, b) => b.hit.time - a.hit.time : (a, b) => a.rank - b.rank)
  const groups = new Map<
    SessionHits["session"],
    { search: StoreSearch; found: { session: SessionHits["session"]; hits: SessionHits["hits"][number][] } }
  >()
  for (const { search, session, hit } of hits.slice(0, limit)) {
    const group = groups.get(session) ?? { search, found: { session, hits: [] } }
    groups.set(session, group)
    group.found.hits.push(hit)
  }
  return { hits: [...groups.values()], isMore: isMore || hits.length > limit }
}
