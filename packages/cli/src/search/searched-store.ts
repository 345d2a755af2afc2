import type { SqliteSessionIndex } from "@treelog/index-sqlite"
import type { SearchQuery } from "@treelog/session-core/search"
import { JointIndex, type MergedHits, searchStores } from "@treelog/stores"
import type { CommandContext } from "../io/command-context.js"
import { everyStore, type StoreSessions } from "../sessions/every-store.js"
import { openIndex } from "./open-index.js"
import { type SearchFilters, searchQuery } from "./search-query.js"
import type { SearchedIndex } from "./search-while-updating.js"

/** A store with its index. */
export interface IndexedStore extends StoreSessions {
  readonly index: SqliteSessionIndex
}

/** The stores that are meant, with their indexes. */
export async function indexedStores(context: CommandContext, allStores = false): Promise<IndexedStore[]> {
  return withIndexes(await everyStore(context, allStores))
}

export function withIndexes(stores: readonly StoreSessions[]): IndexedStore[] {
  return stores.map((store) => ({ ...store, index: openIndex(store.context, store.sessions) }))
}

/** What a search asks of one store. */
export interface StoreSearch extends IndexedStore {
  readonly query: SearchQuery & { readonly limit: number }
}

/** The same question to each store. @throws as `searchQuery` */
export async function storeSearches(
  stores: readonly IndexedStore[],
  text: string,
  filters: SearchFilters,
  shape: Pick<SearchQuery, "sort" | "snippet"> & { readonly limit: number },
): Promise<StoreSearch[]> {
  const searches: StoreSearch[] = []
  for (const store of stores)
    searches.push({
      ...store,
      query: { ...(await searchQuery(store.context, store.sessions, text, filters)), ...shape },
    })
  return searches
}

/** Searches of several stores as one. */
export function jointSearch(
  searches: readonly StoreSearch[],
  shape: { readonly sort: "newest" | "relevance"; readonly limit: number },
): SearchedIndex<MergedHits<StoreSearch>> {
  const index = new JointIndex(searches.map((search) => search.index))
  return {
    update: (options) => index.update(options),
    search: () => searchStores(searches, shape),
  }
}
