import type { SqliteSessionIndex } from "@treelog/index-sqlite"
import type { SearchQuery } from "@treelog/session-core/search"
import type { CommandContext } from "../io/command-context.js"
import { everyStore, type StoreSessions } from "../sessions/every-store.js"
import { openIndex } from "./open-index.js"
import { type SearchFilters, searchQuery } from "./search-query.js"

/** A store with its index. */
export interface IndexedStore extends StoreSessions {
  readonly index: SqliteSessionIndex
}

/** The stores that are meant, with their indexes. */
export async function indexedStores(context: CommandContext, allStores = false): Promise<IndexedStore[]> {
  const stores = await everyStore(context, allStores)
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
