import type { SessionEntry, SessionHeader } from "../entry/entry.js"
import type { LeaseOptions } from "../ports/session-storage.js"

/**
 * When written lines must have reached the disk: at `flush` (default), with every batch, or whenever the system likes. With
 * `"write-through"`, each append is with the operating system when it returns, images and long texts in its line, and on the disk after
 * `flush`: for storages that write synchronously (`leaseSync`).
 */
export type Durability = "flush" | "always" | "none" | "write-through"

/** When a new session gets its file: with the first user or assistant message (default), the first assistant message, or at once. */
export type PersistFrom = "user" | "assistant" | "create"

/** What a new session is called, and where it comes from. */
export interface NewSessionOptions {
  /** An id of the caller's choice: letters, digits, `.`, `_`, `-`, neither beginning nor ending with a mark. */
  readonly id?: string
  /** Where this session comes from; kept as it is given. */
  readonly parentSession?: string
}

/** What a session in memory starts with. */
export interface InMemoryOptions extends NewSessionOptions {
  /** The header of another session, which this one has as it is. Default: a new one. */
  readonly header?: SessionHeader
  /** Its first entries, with their ids and parents, in the order of a file; `getEntries` returns such a list. They are not copied. */
  readonly entries?: readonly SessionEntry[]
}

/** How a session is opened synchronously. */
export interface OpenSyncOptions extends WritingOptions {
  /** The folder of a session that is not there yet. */
  readonly cwd?: string
}

/** What a session of `createSync` starts with. */
export interface CreateSyncOptions extends CreateOptions {
  /** Its first entries, with their ids and parents, in the order of a file. They are not copied. */
  readonly entries?: readonly SessionEntry[]
}

/** How a session is written. */
export interface WriteOptions {
  /** When written entries must have reached the disk. Default `"flush"`. */
  readonly durability?: Durability
  /** When a new session gets its file. Default `"user"`. */
  readonly persistFrom?: PersistFrom
  /** How long a write of a shared session waits for that of another process. Milliseconds; default 10,000. */
  readonly busyTimeoutMs?: number
}

/** How a session is opened. */
export interface OpenOptions extends WriteOptions {
  /**
   * `"exclusive"` (default): others get SessionBusyError. `"shared"`: several processes append in turn. `"read"`: takes no
   * lease, never writes a byte, and works on a session that others write.
   */
  readonly access?: "exclusive" | "shared" | "read"
  /** The folder of a session that is not there yet, and where `@last` and names look. */
  readonly cwd?: string
  /** What to do with a file that is no session: refuse it (default), or rename it and start afresh at its path. */
  readonly onCorrupt?: "error" | "quarantine"
}

export interface WritingOptions extends WriteOptions {
  /** Default `"exclusive"`. */
  readonly access?: "exclusive" | "shared"
}

/** A write of a shared session waits for that of another process; an exclusive session is busy at once. */
export function leaseOptions({ access = "exclusive", busyTimeoutMs = 10_000 }: WritingOptions): LeaseOptions {
  return { access, waitMs: access === "shared" ? busyTimeoutMs : 0 }
}

/** How a new session is created. */
export interface CreateOptions extends WritingOptions, NewSessionOptions {}
