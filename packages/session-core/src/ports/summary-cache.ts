import type { StorageStat } from "./storage-stat.js"
import type { ListFilter, StoredName } from "./stored-name.js"

/**
 * Caches the summaries of listed sessions, so that the next listing reads only what was appended (FORMAT.md, section 8). Missing,
 * outdated or damaged parts cost time, but never change a result, and no method may fail because of them; an implementation has its
 * own way to report a cache that it cannot use.
 */
export interface SummaryCache {
  /**
   * Lists the same sessions as `list` of the storage, with their states and cached summaries, in batches as they are found. Sessions
   * that were removed in the meantime are left out.
   */
  scan(filter?: ListFilter): AsyncIterable<readonly FoundSession[]>

  /** The same for one key; undefined when nothing is stored under it. */
  find(key: string): Promise<FoundSession | undefined>

  /** @param stat the same object that `scan` or `find` returned before the session was read */
  put(key: string, stat: StorageStat, state: SummaryState): void

  /** Saves what was put, at the end of a listing. */
  flush(): Promise<void>
}

/** A session that a scan of the cache found. */
export interface FoundSession extends StoredName {
  /** The state of the stored object; absent if `error` is set. */
  readonly stat?: StorageStat
  /** The cached summary of this object, if the object has not changed since then, or has only grown. */
  readonly cached?: CachedSummary
}

/** The cached summary of a session. */
export interface CachedSummary {
  readonly state: SummaryState
  /** Whether the object is unchanged since it was read. If it has grown, reading can resume from the state. */
  readonly isCurrent: boolean
}

/** The summary of a session in a form for caches. Only the core interprets it. */
export interface SummaryState {
  /** The version of this form, which the core checks. */
  readonly version: number
  /** The working directory of the session; undefined if it cannot be read. */
  readonly cwd: string | undefined
  /** The time by which lists are sorted. Milliseconds since 1970. */
  readonly modified: number
  /** The `SessionInfo` for lists, as plain JSON: read only when the session is listed. */
  readonly info: object
  /** The state to resume reading from, as plain JSON: read only when the session has grown. */
  readonly resume: object
}
