import type { IndexedSearch } from "./indexed-search.js"
import type { ServeOptions } from "./serve-options.js"

/** The input of the routes. */
export interface Served extends ServeOptions {
  /** Aborts when the server closes. */
  readonly closing: AbortSignal
  readonly indexed: IndexedSearch
}
