import type { Surroundings } from "./surroundings.js"

/** What is wrong and ends nothing. */
export type OnWarning = (error: { readonly code: string; readonly data: unknown }, message: string) => void

/** How a store is opened. */
export interface OpenOptions extends Pick<Surroundings, "env" | "plugIns"> {
  /** Whether lists of files use treelog's cache; that of a database is in the database. Default true. */
  readonly caches?: boolean
  /** Whether a folder must be a store already. Default true. */
  readonly exists?: boolean
  /** Called with what is wrong and ends nothing, such as a cache that cannot be written. Default: it is not reported. */
  readonly onWarning?: OnWarning
  /** Called with what closes the connections of a database. The other stores have nothing to close. */
  readonly onOpen?: (close: () => Promise<void>) => void
  /** Ends the attempt to connect. */
  readonly signal?: AbortSignal | undefined
}
