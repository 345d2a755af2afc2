import type { IndexedSearch } from "./indexed-search.js"
import type { ServeOptions } from "./serve-options.js"

/** The input of the routes. */
export interface Served extends Omit<ServeOptions, "token" | "port"> {
  /** The address of the page of all sessions, if there is one, relative to the page of this one. */
  readonly home?: string
  readonly indexed: IndexedSearch
}
