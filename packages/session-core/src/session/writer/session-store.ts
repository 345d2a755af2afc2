import type { SessionEntry } from "../../entry/entry.js"
import { TreelogError } from "../../errors.js"
import { formatRecord } from "../../log/format-line.js"
import type { SessionState } from "../session-state.js"

/** How a failed write is repeated. */
export interface RetryOptions {
  /** Where the stored session was removed, store all of it again under its key. Default: that fails. */
  readonly recreate?: boolean
}

/**
 * Where a session's entries go, and where those of others come from. This one is the store of a session in memory: nothing is
 * written, and no other writer appends.
 */
export class SessionStore {
  isClosed = false
  protected readonly state: SessionState

  constructor(state: SessionState) {
    this.state = state
  }

  /** Undefined in memory. */
  get key(): string | undefined {
    return undefined
  }

  get folder(): string | undefined {
    return undefined
  }

  /** Which stored object the entries were read from or written to; undefined where there is none (yet). */
  get identity(): string | undefined {
    return undefined
  }

  protected assertOpen(): void {
    if (!this.isClosed) return
    const { key } = this
    throw new TreelogError("SessionClosedError", `The session ${key ?? "in memory"} was closed.`, { key })
  }

  /** Throws where an entry may not be added now. */
  assertWritable(): void {
    this.assertOpen()
  }

  /** Appends an entry as it is, and the leaf follows. @throws UnserializableEntryError: nothing was added; PersistError */
  add(entry: SessionEntry): void {
    this.append(entry, formatRecord(entry))
    this.state.follow(entry)
    this.writeThrough()
  }

  /** Adds an entry to the state. @param text its line, without LF */
  append(entry: SessionEntry, _text: string): void {
    this.state.add(entry)
  }

  /** Called when the leaf has followed what was appended. @throws PersistError where it is written at once, and that fails */
  writeThrough(): void {}

  /** Runs `work`, which may append, when all that others appended was read; no other writer appends before it is stored. */
  async withExclusiveWrite<T>(work: () => T): Promise<T> {
    this.assertWritable()
    return work()
  }

  async flush(): Promise<void> {
    this.assertOpen()
  }

  flushSync(): void {
    this.assertOpen()
  }

  async retry(_options: RetryOptions): Promise<void> {
    this.assertOpen()
  }

  async saveAs(path: string): Promise<void> {
    const message = "A session in memory belongs to no storage, so that it cannot be saved in one."
    throw new TreelogError("InvalidArgumentError", message, { argument: "path", value: path })
  }

  /** The entries of others that were read, and that neither this nor `refresh` returned before. */
  takeNews(): SessionEntry[] {
    return []
  }

  async refresh(): Promise<SessionEntry[]> {
    return []
  }

  async *watch(_signal: AbortSignal): AsyncGenerator<SessionEntry> {}

  close(): Promise<void> {
    return this.discard()
  }

  async discard(): Promise<void> {
    this.isClosed = true
  }
}
