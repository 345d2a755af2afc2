import type { SessionEntry } from "../../entry/entry.js"
import { TreelogError } from "../../errors.js"
import type { Line, Place } from "../../log/line.js"
import { type LogRecord, parseLine } from "../../log/parse-line.js"
import { unreadableRecord } from "../../log/session-log.js"
import type { SessionStorage } from "../../ports/session-storage.js"
import { addRecord } from "../load-state.js"
import type { SessionState } from "../session-state.js"

/** Adds what others append to a session to its state, and passes it to watches. */
export class AppendedEntries {
  readonly #state: SessionState
  /** Entries whose lines are damaged behind their heads: they are links once another entry follows them, torn ones once it names them. */
  #lost: LogRecord[] = []
  readonly #news: SessionEntry[] = []
  readonly #watches = new Set<Watch>()
  #isEnded = false

  constructor(state: SessionState) {
    this.#state = state
  }

  /** Adds the entries of others that stand on the lines, and returns them. */
  absorb(lines: readonly Line[]): SessionEntry[] {
    const added: SessionEntry[] = []
    for (const line of lines) {
      const { records, faults, lost } = parseLine(line)
      for (const fault of faults) this.#state.report(fault)
      if (lost) this.#lost.push(unreadableRecord(lost, line))
      for (const record of records) {
        if (record.value.type === "session") {
          this.#reportHeader(record.place)
          continue
        }
        if (this.#isOwn(record)) continue
        this.#linkLost(record.value.parentId)
        const entry = addRecord(this.#state, record, true)
        if (entry) added.push(entry)
      }
    }
    for (const waiting of [this.#news, ...[...this.#watches].map((watch) => watch.waiting)])
      for (const entry of added) waiting.push(entry)
    return added
  }

  #linkLost(parentId: unknown): void {
    const isLink = ({ lost, value }: LogRecord): boolean => lost === "damaged" || value.id === parentId
    for (const record of this.#lost) if (isLink(record)) addRecord(this.#state, record, true)
    this.#lost = this.#lost.filter((record) => !isLink(record))
  }

  /** An entry of this session that had no line yet: this is it. */
  #isOwn({ value, place }: LogRecord): boolean {
    const entry = typeof value.id === "string" ? this.#state.unplacedEntry(value.id) : undefined
    if (!entry) return false
    this.#state.placed(entry, { place, verbatim: true })
    return true
  }

  #reportHeader({ line, offset }: Place): void {
    const message = `Line ${line} is a session header that was appended; it is kept, and ignored.`
    this.#state.report({ kind: "extra-header", line, offset, message })
  }

  /** The entries that were absorbed since this was last asked for. */
  takeNews(): SessionEntry[] {
    return this.#news.splice(0)
  }

  /** Ends all watches, those to come too. */
  endWatches(): void {
    this.#isEnded = true
    for (const watch of this.#watches) watch.end()
  }

  /** Lets all watches go on at the key that the session has now. */
  followKey(): void {
    for (const watch of this.#watches) watch.subscription.abort()
  }

  /**
   * Yields what is absorbed from now on, until the signal aborts, the watch is left, or the session is closed.
   * @throws what `refresh` and the storage's watch throw
   */
  watch(session: WatchedSession, signal: AbortSignal): AsyncGenerator<SessionEntry> {
    const watch = new Watch()
    const entries = this.#watched(session, signal, watch)
    // Without this, leaving would wait for the change that the generator is waiting for.
    const leave = entries.return.bind(entries)
    entries.return = (value) => {
      watch.end()
      return leave(value)
    }
    return entries
  }

  async *#watched(session: WatchedSession, signal: AbortSignal, watch: Watch): AsyncGenerator<SessionEntry> {
    const end = () => watch.end()
    if (signal.aborted || this.#isEnded) return
    signal.addEventListener("abort", end)
    this.#watches.add(watch)
    try {
      for (let key: string | undefined; !watch.isEnded && key !== session.key(); ) {
        key = session.key()
        watch.subscription = new AbortController()
        yield* this.#atKey(session, key, watch)
      }
    } finally {
      this.#watches.delete(watch)
      signal.removeEventListener("abort", end)
    }
  }

  async *#atKey(
    { storage, refresh }: WatchedSession,
    key: string,
    { subscription, waiting }: Watch,
  ): AsyncGenerator<SessionEntry> {
    if (!storage.watch) {
      const message = "This storage cannot tell when a session changes; call refresh() instead."
      throw new TreelogError("StorageError", message, { key, operation: "watch", errno: undefined })
    }
    const changes = storage.watch(key, subscription.signal)[Symbol.asyncIterator]()
    let change: Promise<IteratorResult<void>> | undefined
    try {
      do {
        // Requested before the session is read, so that nothing falls between the two.
        change = changes.next()
        // When it fails, its turn reports that. Until then it would be an unhandled rejection.
        void Promise.allSettled([change])
        await refresh()
        while (waiting.length > 0) yield* waiting.splice(0)
      } while (!(await change).done)
    } finally {
      subscription.abort()
      await Promise.allSettled([change, changes.return?.()])
    }
  }
}

/** What a watch needs of the session that is watched. */
export interface WatchedSession {
  readonly storage: SessionStorage
  /** The storage's key of the session now. */
  key(): string
  /** Absorbs what others appended. */
  refresh(): Promise<unknown>
}

class Watch {
  /** What was absorbed, and not yielded yet. */
  readonly waiting: SessionEntry[] = []
  /** Aborting it ends the storage's watch. */
  subscription = new AbortController()
  isEnded = false

  end(): void {
    this.isEnded = true
    this.subscription.abort()
  }
}
