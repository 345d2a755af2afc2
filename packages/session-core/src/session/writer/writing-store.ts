import { CURRENT_VERSION, isEntry, type SessionEntry } from "../../entry/entry.js"
import { isTreelogError, TreelogError } from "../../errors.js"
import type { Line } from "../../log/line.js"
import { readLogBytes } from "../../log/read-bytes.js"
import type { SessionLog } from "../../log/session-log.js"
import { sanitizeLines } from "../../persist/sanitize-entry.js"
import type { BlobStore } from "../../ports/blob-store.js"
import type { Lease, SessionStorage } from "../../ports/session-storage.js"
import { sessionChanged } from "../../ports/stored-errors.js"
import { assertSyncStorage } from "../../ports/sync-storage.js"
import { run, runNow, type Steps, step } from "../../steps.js"
import { addRecord } from "../load-state.js"
import { readBytes, statStored } from "../reader/read-stored.js"
import { StoredTail } from "../reader/stored-tail.js"
import type { PersistFrom, WriterOptions } from "../session-options.js"
import type { SessionContent } from "../session-parts.js"
import type { WaitingLine } from "../session-state.js"
import { FollowedStore } from "./followed-store.js"
import { LeasedSession, type StoredStart } from "./leased-session.js"
import type { RetryOptions } from "./session-store.js"
import { waitingLine } from "./waiting-lines.js"

// The crash argument. An entry is in memory, in order, until the storage has taken its line; a batch of lines is taken whole
// or not at all (`Lease.append`), and leaves the queue in the same step in which the storage reports so. So at any moment each
// entry is either in the queue or in the storage, never in both and never in neither, and an error in between only stops the
// queue. `flush` resolves after `Lease.sync`: what it acknowledged outlives a crash.
//
// `flushSync` and a session that writes through run the same steps without promises (steps.ts), at any moment in which the other run of
// them waits for a blob, for a lease, or for the disk. With `persist: "append"` or `"pi"` an append returns when the operating system has its line, so that only the system's
// crash can lose it; `flush` syncs. A write that fails keeps the entry in memory, in order, and the next append writes it first.
//
// What may only be appended as long as others have not appended something else is decided in `withExclusiveWrite`: under the lease,
// when all that is stored was read, and what it appends is written before the lease is released. Where that write fails, its
// entries are in the queue like any other, and `retry` does not ask again.

/** The store of a session that is written: strictly in order, lines that are queued together in one write (FORMAT.md, section 7). */
export class WritingStore extends FollowedStore<SessionStorage> {
  readonly #content: SessionContent
  readonly #persistFrom: PersistFrom
  readonly #writesThrough: boolean
  readonly #blobs: BlobStore | undefined
  readonly #stored: LeasedSession
  /** False while nothing of a new session is worth a file. */
  #started: boolean
  #failure: unknown
  #scheduled = false

  constructor(
    storage: SessionStorage,
    key: string,
    content: SessionContent,
    options: WriterOptions,
    stored: StoredStart = {},
    blobs?: BlobStore,
  ) {
    super(storage, content.state)
    this.#content = content
    this.#persistFrom = options.persistFrom
    this.#writesThrough = options.durability === "write-through"
    if (this.#writesThrough) assertSyncStorage(storage, key, 'persist: "append"')
    this.#blobs = blobs
    const host = { absorb: (lines: readonly Line[]) => this.#absorbForeign(lines), reload: () => this.#reload() }
    this.#stored = new LeasedSession(storage, key, options, content, host, stored)
    this.#started = stored.tail !== undefined || options.persistFrom === "create"
    if (this.#started && !this.#stored.isBegun && !this.#writesThrough) this.#schedule()
  }

  override get key(): string {
    return this.#stored.key
  }

  override get identity(): string | undefined {
    return this.#stored.identity
  }

  /** @throws SessionClosedError, PersistError */
  override assertWritable(): void {
    this.assertOpen()
    if (this.#failure === undefined) return
    this.#tryAgain()
    if (this.#failure !== undefined) throw this.#persistError()
  }

  override append(entry: SessionEntry, text: string): void {
    // Written through, a line keeps its images and long texts.
    this.state.append(waitingLine(entry, text, this.#writesThrough))
    this.#started ||= opensFile(entry, this.#persistFrom)
    if (this.#started && !this.#writesThrough) this.#schedule()
  }

  override writeThrough(): void {
    if (this.#writesThrough && this.#started) this.#attemptNow(this.#drain())
  }

  /** Without promises, also while another flush is under way: what that one was about to write is written here. @throws as `flush` */
  override flushSync(): void {
    this.assertOpen()
    this.#tryAgain()
    assertSyncStorage(this.storage, this.key, "flushSync")
    this.#attemptNow(this.#finish())
  }

  /** That the session is busy stops nothing: what is under way asynchronously may still succeed. @throws PersistError */
  #attemptNow(work: Steps<void>): void {
    if (this.#failure === undefined) {
      try {
        runNow(work)
        return
      } catch (error) {
        const isBusy = isTreelogError(error, "SessionBusyError")
        const isRefused = isTreelogError(error, "StorageError") && error.data.operation === "flushSync"
        if (isBusy || isRefused) throw this.#persistError(error)
        this.#failure = error
      }
    }
    throw this.#persistError()
  }

  /** A session that writes through tries again with the next append. */
  #tryAgain(): void {
    if (this.#writesThrough) this.#failure = undefined
  }

  /** A session that is not worth a file yet stays in memory. @throws PersistError, SessionClosedError */
  override async flush(): Promise<void> {
    this.assertOpen()
    this.#tryAgain()
    await this.turns.run(() => this.#flush())
  }

  /** @throws PersistError when it fails again */
  override async retry({ recreate = false }: RetryOptions): Promise<void> {
    this.assertOpen()
    await this.turns.run(async () => {
      const failure = this.#failure
      this.#failure = undefined
      await this.#attempt(async () => {
        if (recreate && (await this.#stored.isGone())) return this.#storeWhole(this.key)
        if (!isTreelogError(failure, "SessionChangedError") || failure.data.change === "grown") return
        await run(this.#stored.withLease(() => this.#stored.reload()))
      })
      await this.#flush()
    })
  }

  /** @throws SessionExistsError, SessionBusyError, StorageError: the session is where it was; SessionClosedError */
  override async saveAs(key: string): Promise<void> {
    this.assertOpen()
    await this.turns.run(async () => {
      this.assertOpen()
      await this.#storeWhole(key)
      this.#failure = undefined
      this.#started = true
    })
    this.followKey()
  }

  /**
   * What `work` appends is stored when the promise resolves, and no other writer could append in between, but for programs that
   * ignore leases.
   * @throws what `work` throws; SessionBusyError, SessionChangedError: it was not run; PersistError, SessionClosedError
   */
  override withExclusiveWrite<T>(work: () => T): Promise<T> {
    return this.turns.run(async () => {
      await this.#attempt(() => run(this.#drain()))
      this.assertWritable()
      if (!this.#started) return work()
      return run(this.#stored.withCurrentState((lease) => this.#writeResult(work, lease)))
    })
  }

  *#writeResult<T>(work: () => T, lease: Lease): Steps<T> {
    const result = work()
    try {
      const all = yield* this.#prepare()
      if (this.state.waiting.length > 0) yield* this.#stored.write(lease, all)
      return result
    } catch (error) {
      this.#failure = error
      throw this.#persistError()
    }
  }

  protected override async read(): Promise<void> {
    await this.turns.run(() => run(this.#stored.read({ whole: false })))
    // Those that another file lacks which took the place of ours.
    if (this.state.waiting.length > 0 && this.#started && !this.#writesThrough) this.#schedule()
  }

  /** Own entries keep the parents that they were made on; the leaf stays. */
  #absorbForeign(lines: readonly Line[]): void {
    const added = this.absorb(lines)
    const first = lines[0]
    if (this.#stored.isShared || !first || added.length === 0) return
    const how = this.storage.leasesExpire ? "after the lease had lapsed, or without a lease" : "without a lease"
    const message = `Another program appended ${added.length} entries from line ${first.number} on, ${how}; they were read in.`
    this.state.report({ kind: "foreign-append", line: first.number, offset: first.offset, message })
  }

  /** When flushing fails the session stays open, so that `retry` can be called. */
  override async close(): Promise<void> {
    // What is appended while the last of it is being written is not left behind.
    while (!this.isClosed) {
      await this.flush()
      if (!this.#isUnfinished) break
    }
    await this.discard()
  }

  override async discard(): Promise<void> {
    await super.discard()
    await this.turns.run(() => this.#stored.close())
  }

  #schedule(): void {
    if (this.#scheduled || this.#failure !== undefined) return
    this.#scheduled = true
    // A turn of its own: what is appended in the same step leaves in one write.
    void Promise.resolve().then(() => {
      this.#scheduled = false
      return this.turns.run(() => this.#attempt(() => run(this.#drain())))
    })
  }

  /** @throws PersistError; SessionClosedError: it was discarded meanwhile, with what was not written yet */
  async #flush(): Promise<void> {
    await this.#attempt(() => run(this.#finish()))
    if (this.#failure !== undefined) throw this.#persistError()
    if (this.#isUnfinished) this.assertOpen()
  }

  /** Writes and syncs what waits. */
  *#finish(): Steps<void> {
    yield* this.#drain()
    while (this.#stored.mustSync) {
      yield* this.#stored.sync()
      yield* this.#drain()
    }
  }

  *#drain(): Steps<void> {
    while (this.#started && !this.isClosed && (this.state.waiting.length > 0 || !this.#stored.isBegun)) {
      // Before the lease: no other writer waits while a blob is stored, and a blob is durable before the line that names it.
      const all = yield* this.#prepare()
      yield* this.#stored.writeBatch(all)
    }
  }

  /** Does nothing after a failure, and keeps the failure of `work`: the next caller gets it. */
  async #attempt(work: () => Promise<void>): Promise<void> {
    if (this.#failure !== undefined) return
    try {
      await work()
    } catch (error) {
      this.#failure = error
    }
  }

  /** Whether lines are to be written that are not ready: blobs are stored with promises, so that without them all stays in the lines. */
  *#prepare(): Steps<boolean> {
    if (this.state.waiting.every(({ isReady }) => isReady)) return false
    return yield* step(
      async () => {
        await sanitizeLines([...this.state.waiting], this.#blobs)
        return false
      },
      () => true,
    )
  }

  /** Makes a stored session of all entries, those that wait among them. Where that fails, nothing has changed. */
  async #storeWhole(key: string): Promise<void> {
    await this.#stored.storeAnew(key, async () => {
      const lines = this.#linesOf(this.state.entries())
      await sanitizeLines(lines, this.#blobs)
      return lines
    })
  }

  /** The lines of entries: as they wait, or made anew. */
  #linesOf(entries: readonly SessionEntry[]): WaitingLine[] {
    const waiting = new Map(this.state.waiting.map((line) => [line.entry, line]))
    return entries.map((entry) => waiting.get(entry) ?? waitingLine(entry))
  }

  /** Reads a file that took the place of ours: its entries are added, and those of ours that it lacks are queued again. */
  *#reload(): Steps<StoredTail> {
    const stat = yield* statStored(this.storage, this.key)
    if (!stat) throw sessionChanged(this.key, "gone")
    const log = readLogBytes(yield* readBytes(this.storage, this.key, stat), this.key)
    if (!log) throw sessionChanged(this.key, "gone")
    if (log.header.id !== this.#content.header.id || log.version !== CURRENT_VERSION)
      throw sessionChanged(this.key, "replaced")
    this.#mergeLog(log)
    return new StoredTail(this.storage, this.key, stat, log.end)
  }

  /** In the order of the file, then what is in memory only, then what waits. */
  #mergeLog(log: SessionLog): void {
    const records = log.records.filter(({ lost }) => !lost)
    const found = new Set(records.map(({ value }) => value.id))
    const all = this.state.owned()
    const known = new Map<unknown, (typeof all)[number]>(all.map((one) => [one.entry.id, one]))
    const missing = all.filter(({ entry }) => !found.has(entry.id))
    // Before anything is changed, since it may fail.
    const lines = this.#linesOf(missing.filter(({ isOwn }) => isOwn).map(({ entry }) => entry))
    this.state.clear()
    for (const record of records) {
      const one = known.get(record.value.id)
      if (one) this.state.add(one.entry, { place: record.place, verbatim: true }, false, one.isOwn)
      else addRecord(this.state, record, true)
      known.delete(record.value.id)
    }
    for (const { entry, isOwn } of missing) if (!isOwn) this.state.add(entry)
    for (const line of lines) this.state.append(line)
  }

  /** Whether there is something that a flush would write or sync. */
  get #isUnfinished(): boolean {
    return this.#started && (this.state.waiting.length > 0 || this.#stored.mustSync)
  }

  #persistError(failure = this.#failure): TreelogError<"PersistError"> {
    const { message: why } = failure instanceof Error ? failure : { message: String(failure) }
    const pending = this.state.waiting.length
    const isGone = isTreelogError(failure, "SessionChangedError") && failure.data.change === "gone"
    const how = isGone
      ? "saveAs() stores the session elsewhere, retry({ recreate: true }) where it was."
      : "retry() tries again."
    const kept = pending === 1 ? "1 entry is" : `${pending} entries are`
    const message = `${this.key} could not be written: ${why.replace(/\.$/, "")}. ${kept} kept in memory; ${how}`
    return new TreelogError("PersistError", message, { key: this.key, pending }, { cause: failure })
  }
}

/** Whether a new session gets its file with this entry. */
export function opensFile(entry: SessionEntry, from: PersistFrom): boolean {
  if (from === "create") return true
  if (!isEntry(entry, "message")) return false
  return entry.message.role === "assistant" || (from === "user" && entry.message.role === "user")
}
