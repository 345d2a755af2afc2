import type { SessionEntry, SessionHeader } from "../entry/entry.js"
import { valueText } from "../entry/values.js"
import { TreelogError } from "../errors.js"
import type { LeaseOptions } from "../ports/session-storage.js"

/**
 * When a new session gets its file, and when its entries are safe:
 * - `"message"` (default): the first message of a user or an assistant makes the file; entries are on the disk when `flush` resolves.
 * - `"create"`: as `"message"`, but the file is made at once.
 * - `"synced"`: as `"message"`, and each batch of entries is synced when it is written.
 * - `"append"`: as `"message"`, and each append has reached the operating system when it returns, with images and long texts in its line.
 *   Needs a storage that writes synchronously (`leaseSync`).
 * - `"pi"`: as `"append"`, but the first message of an assistant makes the file, as in pi.
 * - `"unsynced"`: as `"message"`, but nothing is ever synced: for tests.
 */
export type Persist = keyof typeof PERSIST

/** When written lines must have reached the disk: at `flush`, with every batch, never, or with each append. */
export type Durability = "flush" | "always" | "none" | "write-through"

/** What makes the file of a new session: a message of a user or an assistant, one of an assistant, or `create`. */
export type PersistFrom = "user" | "assistant" | "create"

const PERSIST = {
  message: { durability: "flush", persistFrom: "user" },
  create: { durability: "flush", persistFrom: "create" },
  synced: { durability: "always", persistFrom: "user" },
  append: { durability: "write-through", persistFrom: "user" },
  pi: { durability: "write-through", persistFrom: "assistant" },
  unsynced: { durability: "none", persistFrom: "user" },
} as const satisfies Record<string, Pick<WriterOptions, "durability" | "persistFrom">>

/** How a session is written, as its writer has it. */
export interface WriterOptions {
  readonly access: "exclusive" | "shared"
  readonly durability: Durability
  readonly persistFrom: PersistFrom
  /** Milliseconds. */
  readonly busyTimeoutMs: number
}

/** @throws InvalidArgumentError for a value that is not a `Persist` */
export function persistence(persist: Persist): Pick<WriterOptions, "durability" | "persistFrom"> {
  assertOneOf("persist", persist, Object.keys(PERSIST))
  return PERSIST[persist]
}

/** @throws InvalidArgumentError for a value that is none of the names */
export function assertOneOf(argument: string, value: unknown, names: readonly string[]): void {
  if (typeof value === "string" && names.includes(value)) return
  const message = `${argument} is ${valueText(value)}: use one of ${names.join(", ")}.`
  throw new TreelogError("InvalidArgumentError", message, { argument, value })
}

/** What a new session is called, and where it comes from. */
export interface NewSessionOptions {
  /** An id of the caller's choice: letters, digits, `.`, `_`, `-`, neither beginning nor ending with a mark. */
  readonly id?: string | undefined
  /** Where this session comes from; kept as it is given. */
  readonly parentSession?: string | undefined
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
  /** Where no session is stored, makes one of this folder. Without it: SessionNotFoundError. */
  readonly cwd?: string | undefined
}

/** How a session is written. */
export interface WriteOptions {
  /** When a new session gets its file, and when its entries are safe. Default `"message"`. */
  readonly persist?: Persist | undefined
  /** How long a write of a shared session waits for that of another process. Milliseconds; default 10,000. */
  readonly busyTimeoutMs?: number | undefined
}

/** How a session is opened. */
export interface OpenOptions extends WriteOptions {
  /**
   * `"exclusive"` (default): others get SessionBusyError. `"shared"`: several processes append in turn. `"read"`: takes no
   * lease, never writes a byte, and works on a session that others write.
   */
  readonly access?: "exclusive" | "shared" | "read" | undefined
  /** Where `@last` and names look, and the folder of a session without bytes. */
  readonly cwd?: string | undefined
}

export interface WritingOptions extends WriteOptions {
  /** Default `"exclusive"`. */
  readonly access?: "exclusive" | "shared" | undefined
}

/** How the session is held, with the defaults. @throws InvalidArgumentError */
export function holding({
  access = "exclusive",
  busyTimeoutMs = 10_000,
}: WritingOptions): Pick<WriterOptions, "access" | "busyTimeoutMs"> {
  assertOneOf("access", access, ["exclusive", "shared"])
  if (busyTimeoutMs >= 0) return { access, busyTimeoutMs }
  const message = `busyTimeoutMs is ${valueText(busyTimeoutMs)}: use a number of milliseconds, from 0 on.`
  throw new TreelogError("InvalidArgumentError", message, { argument: "busyTimeoutMs", value: busyTimeoutMs })
}

/** A write of a shared session waits for that of another process; an exclusive session is busy at once. @throws InvalidArgumentError */
export function leaseOptions(options: WritingOptions): LeaseOptions {
  const { access, busyTimeoutMs } = holding(options)
  return { access, waitMs: access === "shared" ? busyTimeoutMs : 0 }
}

/** How a new session is created. */
export interface CreateOptions extends WritingOptions, NewSessionOptions {
  /** Its first entries, with their ids and parents, in the order of a file. They are not copied. */
  readonly entries?: readonly SessionEntry[]
}
