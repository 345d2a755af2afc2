import type { IndexUpdateReport, SearchResult } from "@treelog/session-core/search"
import { mergeHits } from "@treelog/stores"
import type { CommandContext } from "../io/command-context.js"
import { refreshIndex, warnOfUnread } from "./refresh-index.js"
import type { StoreSearch } from "./searched-store.js"

/** Searches several stores, each behind its index, which is brought up to date before. */
export async function jointSearch(
  context: CommandContext,
  searches: readonly StoreSearch[],
  options: { readonly sort: "newest" | "relevance"; readonly limit: number },
): Promise<ReturnType<typeof mergeHits<StoreSearch>>> {
  const results: { store: StoreSearch; result: SearchResult }[] = []
  const unread: IndexUpdateReport["failed"][number][] = []
  for (const store of searches) {
    unread.push(...(await refreshIndex(context, store.index)).failed)
    results.push({ store, result: await store.index.search(store.query) })
  }
  warnOfUnread(context, unread)
  return mergeHits(results, options)
}
