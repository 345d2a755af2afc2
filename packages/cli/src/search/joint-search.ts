import type { SessionHits } from "@treelog/session-core/search"
import { JointIndex, type MergedHits, mergeHits } from "@treelog/stores"
import type { SearchedIndex } from "./search-while-updating.js"
import type { StoreSearch } from "./searched-store.js"

/** Searches of several stores as one. */
export function jointSearch(
  searches: readonly StoreSearch[],
  shape: { readonly sort: "newest" | "relevance"; readonly limit: number },
): SearchedIndex<MergedHits<StoreSearch>> {
  const index = new JointIndex(searches.map((search) => search.index))
  return {
    update: (options) => index.update(options),
    search: async () => {
      const results = []
      for (const store of searches) results.push({ store, result: await store.index.search(store.query) })
      const [only, ...others] = results
      if (!only || others.length > 0) return mergeHits(results, shape)
      const withStore = (found: SessionHits) => ({ ...found, store: only.store })
      return { sessions: only.result.sessions.map(withStore), isMore: only.result.isMore }
    },
  }
}
