import type { SessionEntry } from "../../entry/entry.js"

/** How a failed write is repeated. */
export interface RetryOptions {
  /** Where the stored session was removed, store all of it again under its key. Default: that fails. */
  readonly recreate?: boolean
}

/** Where a session's entries go, and where those of others come from. */
export interface SessionStore {
  /** Undefined in memory. */
  readonly key: string | undefined
  readonly folder: string | undefined
  /** Which stored object the entries were read from or written to; undefined where there is none (yet). */
  readonly identity: string | undefined
  /** Entries that are in memory only. */
  readonly pending: number
  readonly isClosed: boolean
  /** Throws where an entry may not be added now. */
  assertWritable(): void
  /** Takes the line (without its LF) of an entry that is being added. */
  enqueue(entry: SessionEntry, text: string): void
  /** Runs `work`, which may append, when all that others appended was read; nobody else appends before it is stored. */
  withExclusiveWrite<T>(work: () => T): Promise<T>
  flush(): Promise<void>
  retry(options: RetryOptions): Promise<void>
  saveAs(key: string): Promise<void>
  refresh(): Promise<SessionEntry[]>
  watch(signal: AbortSignal): AsyncGenerator<SessionEntry>
  close(): Promise<void>
  discard(): Promise<void>
}
