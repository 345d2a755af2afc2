import type { Durability, PersistFrom } from "./store/session-writer.js"

export interface NewSessionOptions {
  /** An id of the caller's choice: letters, digits, `.`, `_`, `-`, neither beginning nor ending with a mark. */
  readonly id?: string
  /** Where this session comes from; kept as it is given. */
  readonly parentSession?: string
}

export interface WriteOptions {
  /** When written entries must have reached the disk. Default `"flush"`. */
  readonly durability?: Durability
  /** When a new session gets its file. Default `"user"`. */
  readonly persistFrom?: PersistFrom
  /** How long a write of a shared session waits for that of another process. Milliseconds; default 10,000. */
  readonly busyTimeoutMs?: number
}

export interface WritingOptions extends WriteOptions {
  /** Default `"exclusive"`. */
  readonly access?: "exclusive" | "shared"
}

export interface CreateOptions extends WritingOptions, NewSessionOptions {}
