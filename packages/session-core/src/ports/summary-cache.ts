import type { StorageStat } from "./storage-stat.js"
import type { ListFilter, StoredName } from "./stored-name.js"

/**
 * Keeps what listings found out about sessions, so that the next one reads only what was appended (FORMAT.md, section 8). It
 * is only a cache: whatever of it is missing, old or damaged is as good as nothing, and costs time, never an answer. No method
 * may fail for that reason; an implementation has its own way to tell of a cache that it cannot use.
 */
export interface SummaryCache {
  /**
   * Everything that `list` of the storage names, looked at, and with it what is known; some at a time, as they are found. What is
   * gone when it is looked at is left out.
   */
  scan(filter?: ListFilter): AsyncIterable<readonly FoundSession[]>

  /** The same for one key; undefined when nothing is stored under it. */
  find(key: string): Promise<FoundSession | undefined>

  /** @param stat the very object that `scan` or `find` gave, before the session was read */
  put(key: string, stat: StorageStat, state: SummaryState): void

  /** A listing came to its end: what was put is kept for the next process. */
  flush(): Promise<void>
}

/** A session as a listing finds it. */
export interface FoundSession extends StoredName {
  /** What is stored; absent where `error` says why that cannot be told. */
  readonly stat?: StorageStat
  /** What was last put about the object that is stored, if it has not changed since, or has grown. */
  readonly cached?: CachedSummary
}

/** What a cache has of a session. */
export interface CachedSummary {
  readonly state: SummaryState
  /** The object cannot have changed since it was read. Where it has grown, the state is only something to begin with. */
  readonly isCurrent: boolean
}

/** What a listing remembers of a session. The core alone knows what it means. */
export interface SummaryState {
  /** Another one has another meaning; the core sees to it. */
  readonly version: number
  /** The folder that the session belongs to; undefined where it cannot be read. */
  readonly cwd: string | undefined
  /** Its place in the order of lists. Milliseconds since 1970. */
  readonly modified: number
  /** What a list says of it, as plain JSON: asked for only when it is listed. */
  readonly info: object
  /** What it takes to go on where reading ended, as plain JSON: asked for only when the session has grown. */
  readonly resume: object
}
