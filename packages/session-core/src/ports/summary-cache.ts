import type { StorageStat } from "./storage-stat.js"

/**
 * Keeps what a listing found out about sessions, so that the next one reads only what was appended (FORMAT.md, section 8). It
 * is only a cache: whatever of it is missing, old or damaged is as good as nothing, and costs time, never an answer. No method
 * may fail for that reason; an implementation has its own way to tell of a cache that it cannot use.
 */
export interface SummaryCache {
  /**
   * What was last put under the key, where that was about the object that `stat` tells of, and this one has either not changed
   * since, or grown. It is asked before the session is read.
   */
  get(key: string, stat: StorageStat): Promise<CachedSummary | undefined>

  /** @param stat what `get` was asked with, before the session was read */
  put(key: string, stat: StorageStat, state: SummaryState): void

  /**
   * A listing came to its end: what was put is kept for the next process.
   * @param keys whether `list` had named all that it has to name: what was kept of the same folders, and was not asked
   * for since the last flush, is of sessions that are gone
   */
  flush(keys: { readonly complete: boolean }): Promise<void>
}

export interface CachedSummary {
  readonly state: SummaryState
  /** The object cannot have changed since it was read. Where it has grown, the state is only something to begin with. */
  readonly isCurrent: boolean
}

/** What a listing remembers of a session: plain JSON, of which only the core knows the meaning. */
export interface SummaryState {
  /** Another one has another meaning; the core sees to it. */
  readonly version: number
}
