import type { SessionEntry } from "../../entry/entry.js"
import { TreelogError } from "../../errors.js"
import type { Line } from "../../log/line.js"
import { type LogRecord, parseLine } from "../../log/parse-line.js"
import { unreadableRecord } from "../../log/session-log.js"
import type { SessionSource } from "../../ports/session-source.js"
import { Turns } from "../../turns.js"
import { addRecord } from "../load-state.js"
import type { SessionState } from "../session-state.js"
import { SessionStore } from "./session-store.js"

/** The store of a stored session: it adds what others append to the state, and passes it to `refresh` and to watches. */
export abstract class FollowedStore<Source extends SessionSource = SessionSource> extends SessionStore {
  protected readonly storage: Source
  /** For everything that reads or writes what is stored: two that read at once would both add what they find. */
  protected readonly turns = new Turns()
  /** The entries of others, in the order in which they were read. */
  readonly #absorbed: SessionEntry[] = []
  /** How many of them `refresh` returned. */
  #refreshed = 0
  /** Entries whose lines are damaged behind their heads: they are links once another entry follows them, torn ones once it names them. */
  #lost: LogRecord[] = []
  /** The number of the last line, where it was read without its LF: it is read again if it was not complete then. */
  #unfinished: number | undefined
  readonly #watches = new Set<Watch>()

  constructor(storage: Source, state: SessionState) {
    super(state)
    this.storage = storage
  }

  abstract override get key(): string

  override get folder(): string {
    return this.storage.folderOf(this.key)
  }

  /** Reads what others appended. */
  protected abstract read(): Promise<void>

  /** Adds the entries of others that stand on the lines, and returns them. */
  protected absorb(lines: readonly Line[]): SessionEntry[] {
    const before = this.#absorbed.length
    if (lines[0]?.number === this.#unfinished) this.#forgetUnfinished()
    const last = lines.at(-1)
    if (last) this.#unfinished = last.terminated ? undefined : last.number
    for (const line of lines) {
      const { records, faults, lost } = parseLine(line)
      for (const fault of faults) this.state.report(fault)
      if (lost) this.#lost.push(unreadableRecord(lost, line))
      for (const record of records) this.#absorbRecord(record)
    }
    return this.#absorbed.slice(before)
  }

  #forgetUnfinished(): void {
    if (this.#unfinished === undefined) return
    this.state.retract(this.#unfinished)
    this.#lost = this.#lost.filter(({ place }) => place.line !== this.#unfinished)
  }

  #absorbRecord(record: LogRecord): void {
    const { value, place } = record
    if (value.type === "session") {
      const message = `Line ${place.line} is a session header that was appended; it is kept, and ignored.`
      this.state.report({ kind: "extra-header", line: place.line, offset: place.offset, message })
      return
    }
    if (this.state.recognize(value.id, place)) return
    const isLink = ({ lost, value: { id } }: LogRecord): boolean => lost === "damaged" || id === value.parentId
    for (const link of this.#lost.filter(isLink)) addRecord(this.state, link, true)
    this.#lost = this.#lost.filter((one) => !isLink(one))
    const entry = addRecord(this.state, record, true)
    if (entry) this.#absorbed.push(entry)
  }

  override async refresh(): Promise<SessionEntry[]> {
    await this.read()
    return this.takeNews()
  }

  override takeNews(): SessionEntry[] {
    const news = this.#absorbed.slice(this.#refreshed)
    this.#refreshed = this.#absorbed.length
    return news
  }

  /**
   * Yields what is absorbed from now on, until the signal aborts, the watch is left, or the session is closed.
   * @throws what reading and the storage's watch throw
   */
  override watch(signal: AbortSignal): AsyncGenerator<SessionEntry> {
    const watch = new Watch()
    const entries = this.#watched(watch, signal)
    // Without this, leaving would wait for the change that the generator is waiting for.
    const leave = entries.return.bind(entries)
    entries.return = (value) => {
      watch.end()
      return leave(value)
    }
    return entries
  }

  async *#watched(watch: Watch, signal: AbortSignal): AsyncGenerator<SessionEntry> {
    if (signal.aborted || this.isClosed) return
    signal.addEventListener("abort", watch.end)
    this.#watches.add(watch)
    let seen = this.#absorbed.length
    try {
      for (let key: string | undefined; !watch.isEnded && key !== this.key; ) {
        key = this.key
        watch.subscription = new AbortController()
        for await (const _ of this.#changes(key, watch.subscription))
          while (seen < this.#absorbed.length) yield this.#absorbed[seen++] as SessionEntry
      }
    } finally {
      this.#watches.delete(watch)
      signal.removeEventListener("abort", watch.end)
    }
  }

  /** Yields when what is stored was read, at first and after each change of it. */
  async *#changes(key: string, subscription: AbortController): AsyncGenerator<void> {
    if (!this.storage.watch) {
      const message = "This storage cannot tell when a session changes; call refresh() instead."
      throw new TreelogError("StorageError", message, { key, operation: "watch", errno: undefined })
    }
    const changes = this.storage.watch(key, subscription.signal)[Symbol.asyncIterator]()
    let change: Promise<IteratorResult<void>> | undefined
    try {
      do {
        // Requested before the session is read, so that nothing falls between the two.
        change = changes.next()
        // When it fails, its turn reports that. Until then it would be an unhandled rejection.
        void Promise.allSettled([change])
        await this.read()
        yield
      } while (!(await change).done)
    } finally {
      subscription.abort()
      await Promise.allSettled([change, changes.return?.()])
    }
  }

  /** Lets all watches continue at the key that the session has now. */
  protected followKey(): void {
    for (const watch of this.#watches) watch.subscription.abort()
  }

  override async discard(): Promise<void> {
    this.isClosed = true
    for (const watch of this.#watches) watch.end()
  }
}

class Watch {
  /** Aborting it ends the storage's watch. */
  subscription = new AbortController()
  isEnded = false

  readonly end = (): void => {
    this.isEnded = true
    this.subscription.abort()
  }
}
