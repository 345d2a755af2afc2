import { isEntry, type SessionEntry } from "../../entry/entry.js"
import { CURRENT_VERSION } from "../../entry/header.js"
import { isTreelogError, TreelogError } from "../../errors.js"
import { formatRecord } from "../../log/format-line.js"
import type { SessionLog } from "../../log/session-log.js"
import { isPlainLine, sanitizeLine } from "../../persist/sanitize-line.js"
import type { BlobStore } from "../../ports/blob-store.js"
import type { Lease, SessionStorage } from "../../ports/session-storage.js"
import { addRecord } from "../load-state.js"
import { readStoredLog } from "../reader/read-stored.js"
import { changed, StoredTail } from "../reader/stored-tail.js"
import type { SessionContent } from "../session-content.js"
import { closedError } from "../session-errors.js"
import type { PersistFrom, WritingOptions } from "../session-options.js"
import { AppendedEntries } from "./appended-entries.js"
import { LeasedSession, type StoredStart } from "./leased-session.js"
import { type Batch, LineQueue } from "./line-queue.js"
import type { RetryOptions, SessionStore } from "./session-store.js"
import { Turns } from "./turns.js"

// The crash argument. An entry is in memory, in order, until the storage has taken its line; a batch of lines is taken whole
// or not at all (`Lease.append`), and leaves the queue in the same step in which the storage reports so. So at any moment each
// entry is either in the queue or in the storage, never in both and never in neither, and an error in between only stops the
// queue. `flush` resolves after `Lease.sync`: what it acknowledged outlives a crash.
//
// What may only be appended as long as others have not appended something else is decided in `withExclusiveWrite`: under the lease,
// when all that is stored was read, and what it appends is written before the lease is released. Where that write fails, its
// entries are in the queue like any other, and `retry` does not ask again.

/** The store of a session that is written: strictly in order, lines that are queued together in one write (FORMAT.md, section 7). */
export class WritingStore implements SessionStore {
  isClosed = false
  readonly #storage: SessionStorage
  readonly #content: SessionContent
  readonly #persistFrom: PersistFrom
  readonly #blobs: BlobStore | undefined
  readonly #appended: AppendedEntries
  readonly #stored: LeasedSession
  /** The entries that were appended through this object. */
  readonly #own: SessionEntry[] = []
  #queue = new LineQueue()
  /** False while nothing of a new session is worth a file. */
  #started: boolean
  #failure: unknown
  /** Everything that reaches the storage. */
  readonly #turns = new Turns()
  #scheduled = false

  constructor(
    storage: SessionStorage,
    key: string,
    content: SessionContent,
    options: Required<WritingOptions>,
    stored: StoredStart = {},
    blobs?: BlobStore,
  ) {
    this.#storage = storage
    this.#content = content
    this.#persistFrom = options.persistFrom
    this.#blobs = blobs
    this.#appended = new AppendedEntries(content.state)
    this.#stored = new LeasedSession(storage, key, options, content, this.#appended, stored)
    this.#started = stored.tail !== undefined || options.persistFrom === "create"
    if (this.#started && !this.#stored.isBegun) this.#schedule()
  }

  get key(): string {
    return this.#stored.key
  }

  get folder(): string {
    return this.#storage.folderOf(this.key)
  }

  get identity(): string | undefined {
    return this.#stored.identity
  }

  get pending(): number {
    return this.#queue.size
  }

  /** @throws SessionClosedError, PersistError */
  assertWritable(): void {
    this.#assertOpen()
    if (this.#failure !== undefined) throw this.#persistError()
  }

  enqueue(entry: SessionEntry, text: string): void {
    this.#queue.add(entry, text, isPlainLine(text))
    this.#own.push(entry)
    this.#started ||= opensFile(entry, this.#persistFrom)
    if (this.#started) this.#schedule()
  }

  /** A session that is not worth a file yet stays in memory. @throws PersistError, SessionClosedError */
  async flush(): Promise<void> {
    this.#assertOpen()
    await this.#turns.run(() => this.#finish())
  }

  /** @throws PersistError when it fails again */
  async retry({ recreate = false }: RetryOptions): Promise<void> {
    this.#assertOpen()
    await this.#turns.run(async () => {
      const failure = this.#failure
      this.#failure = undefined
      await this.#attempt(async () => {
        if (recreate && (await this.#stored.isGone())) return this.#storeWhole(this.key)
        if (!isTreelogError(failure, "SessionChangedError") || failure.data.change === "grown") return
        await this.#stored.replaceTail(() => this.#reload())
      })
      await this.#finish()
    })
  }

  /** @throws SessionExistsError, SessionBusyError, StorageError: the session is where it was; SessionClosedError */
  async saveAs(key: string): Promise<void> {
    this.#assertOpen()
    await this.#turns.run(async () => {
      this.#assertOpen()
      await this.#storeWhole(key)
      this.#failure = undefined
      this.#started = true
    })
    this.#appended.followKey()
  }

  /**
   * What `work` appends is stored when the promise resolves, and nobody else could append in between, but for programs that
   * ignore leases.
   * @throws what `work` throws; SessionBusyError, SessionChangedError: it was not run; PersistError, SessionClosedError
   */
  withExclusiveWrite<T>(work: () => T): Promise<T> {
    return this.#turns.run(async () => {
      await this.#drain()
      this.assertWritable()
      if (!this.#started) return work()
      return this.#stored.withLease(async (lease) => {
        await this.#stored.read({ whole: true })
        const result = work()
        await this.#attempt(async () => {
          const batch = await this.#batch()
          if (batch.entries.length > 0) await this.#store(lease, batch)
        })
        if (this.#failure !== undefined) throw this.#persistError()
        return result
      })
    })
  }

  async refresh(): Promise<SessionEntry[]> {
    await this.#read()
    return this.#appended.takeNews()
  }

  watch(signal: AbortSignal): AsyncGenerator<SessionEntry> {
    const session = { storage: this.#storage, key: () => this.key, refresh: () => this.#read() }
    return this.#appended.watch(session, signal)
  }

  #read(): Promise<void> {
    return this.#turns.run(() => this.#stored.read({ whole: false }))
  }

  /** When flushing fails the session stays open, so that `retry` can be called. */
  async close(): Promise<void> {
    // What is appended while the last of it is being written is not left behind.
    while (!this.isClosed) {
      await this.flush()
      if (!this.#isUnfinished) break
    }
    await this.discard()
  }

  async discard(): Promise<void> {
    this.isClosed = true
    this.#appended.endWatches()
    await this.#turns.run(() => this.#stored.release())
  }

  #schedule(): void {
    if (this.#scheduled || this.#failure !== undefined) return
    this.#scheduled = true
    // A turn of its own: what is appended in the same step leaves in one write.
    void Promise.resolve().then(() => {
      this.#scheduled = false
      return this.#turns.run(() => this.#drain())
    })
  }

  /** Writes and syncs what waits. @throws PersistError; SessionClosedError: it was discarded meanwhile, with what was not written yet */
  async #finish(): Promise<void> {
    await this.#drain()
    if (this.#stored.mustSync) await this.#attempt(() => this.#stored.sync())
    if (this.#failure !== undefined) throw this.#persistError()
    if (this.#isUnfinished) this.#assertOpen()
  }

  async #drain(): Promise<void> {
    if (!this.#started) return
    await this.#attempt(async () => {
      while (!this.isClosed && (this.#queue.size > 0 || !this.#stored.isBegun)) {
        // Before the lease: nobody waits while a blob is stored, and a blob is durable before the line that names it.
        const batch = await this.#batch()
        await this.#stored.withLease((lease) => this.#store(lease, batch))
      }
    })
  }

  /** Does nothing after a failure, and keeps the failure of `work`: whoever asks next gets it. */
  async #attempt(work: () => Promise<void>): Promise<void> {
    if (this.#failure !== undefined) return
    try {
      await work()
    } catch (error) {
      this.#failure = error
    }
  }

  #batch(queue = this.#queue): Promise<Batch> {
    return queue.batch(async (line) => sanitizeLine(line, this.#blobs))
  }

  async #store(lease: Lease, batch: Batch): Promise<void> {
    await this.#stored.write(lease, batch)
    this.#queue.drop(batch)
    await this.#stored.syncBatch(lease)
  }

  /** Makes a stored session of all entries, those that wait among them. Where that fails, nothing has changed. */
  async #storeWhole(key: string): Promise<void> {
    const waiting = this.#queue
    try {
      await this.#stored.storeAnew(key, () => {
        // What is appended from here on follows in a queue of its own.
        this.#queue = new LineQueue()
        return this.#batch(queueOf(this.#content.state.entries()))
      })
    } catch (error) {
      if (this.#queue !== waiting) waiting.putLast(this.#queue)
      this.#queue = waiting
      throw error
    }
  }

  /** Reads a file that took the place of ours: its entries are added, and those of ours that it lacks are queued again. */
  async #reload(): Promise<StoredTail> {
    const stat = await this.#storage.stat(this.key)
    const log = stat && (await readStoredLog(this.#storage, this.key, stat))
    if (!stat || !log) throw changed(this.key, "gone")
    if (log.header.id !== this.#content.header.id || log.version !== CURRENT_VERSION)
      throw changed(this.key, "replaced")
    this.#mergeLog(log)
    return new StoredTail(this.#storage, this.key, stat, log.end)
  }

  #mergeLog(log: SessionLog): void {
    const { state } = this.#content
    state.readAll()
    const found = new Set<unknown>()
    for (const record of log.records.filter(({ lost }) => !lost)) {
      const { id } = record.value
      found.add(id)
      const entry = typeof id === "string" ? state.entry(id) : undefined
      if (entry) state.placed(entry, { place: record.place, verbatim: true })
      else addRecord(state, record, true)
    }
    const lost = this.#own.filter((entry) => state.isPlaced(entry) && !found.has(entry.id))
    for (const entry of lost) state.placed(entry, undefined)
    this.#queue.putFirst(queueOf(lost))
  }

  #assertOpen(): void {
    if (this.isClosed) throw closedError(this.key)
  }

  /** Whether there is something that a flush would write or sync. */
  get #isUnfinished(): boolean {
    return this.#started && (this.#queue.size > 0 || this.#stored.mustSync)
  }

  #persistError(): TreelogError<"PersistError"> {
    const { message: why } = this.#failure instanceof Error ? this.#failure : { message: String(this.#failure) }
    const pending = this.#queue.size
    const isGone = isTreelogError(this.#failure, "SessionChangedError") && this.#failure.data.change === "gone"
    const how = isGone
      ? "saveAs() stores the session elsewhere, retry({ recreate: true }) where it was."
      : "retry() writes them again."
    const message = `${this.key} could not be written: ${why} ${pending} entries are kept in memory; ${how}`
    return new TreelogError("PersistError", message, { path: this.key, pending }, { cause: this.#failure })
  }
}

function queueOf(entries: readonly SessionEntry[]): LineQueue {
  const lines = new LineQueue()
  for (const entry of entries) {
    const text = formatRecord(entry)
    lines.add(entry, text, isPlainLine(text))
  }
  return lines
}

/** Whether a new session gets its file with this entry. */
export function opensFile(entry: SessionEntry, from: PersistFrom): boolean {
  if (from === "create") return true
  if (!isEntry(entry, "message")) return false
  return entry.message.role === "assistant" || (from === "user" && entry.message.role === "user")
}
