import { isEntry, type SessionEntry } from "../../entry/entry.js"
import { isTreelogError, TreelogError } from "../../errors.js"
import type { Place } from "../../log/line.js"
import type { Lease, SessionStorage } from "../../ports/session-storage.js"
import type { StoredTail } from "../reader/stored-tail.js"
import { type Batch, LineQueue } from "./line-queue.js"
import { Turns } from "./turns.js"
import { writeBatch, writeFirstBatch } from "./write-batch.js"
import type { WriterHost } from "./writer-host.js"

// The crash argument. An entry is in memory, in order, until the storage has taken its line; a batch of lines is taken whole
// or not at all (`Lease.append`), and leaves the queue in the same step in which the storage says so. So at any moment each
// entry is either in the queue or in the storage, never in both and never in neither, and an error in between only stops the
// queue. `flush` resolves after `Lease.sync`: what it acknowledged outlives a crash.
//
// What may only be appended as long as others have not appended something else is decided in `withExclusiveWrite`: under the lease,
// when all that is stored was taken in, and what it appends is written before the lease is given back. Where that write
// fails, its entries are in the queue like any other, and `retry` does not ask again.

/** When written lines must have reached the disk: at `flush` (default), with every batch, or whenever the system likes. */
export type Durability = "flush" | "always" | "none"

/** When a new session gets its file: with the first user or assistant message (default), the first assistant message, or at once. */
export type PersistFrom = "user" | "assistant" | "create"

export interface WriterOptions {
  readonly access: "exclusive" | "shared"
  readonly durability: Durability
  readonly persistFrom: PersistFrom
  /** How long a batch of a shared session waits for another writer's batch. Milliseconds. */
  readonly busyTimeoutMs: number
}

/** What a writer begins with. */
export interface WriterStart {
  readonly tail?: StoredTail | undefined
  readonly lease?: Lease | undefined
  readonly artifactsFrom?: string | undefined
}

/** Writes one session: strictly in order, lines that are queued together in one write (FORMAT.md, section 7). */
export class SessionWriter {
  #key: string
  readonly #storage: SessionStorage
  readonly #options: WriterOptions
  readonly #host: WriterHost
  #tail: StoredTail | undefined
  #lease: Lease | undefined
  #queue = new LineQueue()
  /** Whose artifacts a new session gets. */
  readonly #artifactsFrom: string | undefined
  /** False while nothing of a new session is worth a file. */
  #started: boolean
  #failure: unknown
  #isClosed = false
  #unsynced = false
  /** Everything that reaches the storage. */
  readonly #turns = new Turns()
  #scheduled = false

  /**
   * @param stored what is stored already, and the lease that was taken to read it; neither for a new session, which may get the
   * artifacts of another one
   */
  constructor(
    storage: SessionStorage,
    key: string,
    options: WriterOptions,
    host: WriterHost,
    stored: WriterStart = {},
  ) {
    this.#storage = storage
    this.#key = key
    this.#options = options
    this.#host = host
    this.#tail = stored.tail
    this.#lease = stored.lease
    this.#artifactsFrom = stored.artifactsFrom
    this.#started = stored.tail !== undefined || options.persistFrom === "create"
    if (this.#started && (!this.#tail || this.#tail.stat.size === 0)) this.#schedule()
  }

  /** The storage's key of the session. */
  get key(): string {
    return this.#key
  }

  get isClosed(): boolean {
    return this.#isClosed
  }

  /** Entries that are in memory only. */
  get pending(): number {
    return this.#queue.size
  }

  /** Which stored object is written; undefined before the first write. */
  get identity(): string | undefined {
    return this.#tail?.stat.identity
  }

  /** @throws SessionClosedError, PersistError: no entry may be added now */
  assertWritable(): void {
    if (this.#isClosed) throw closedError(this.key)
    if (this.#failure !== undefined) throw this.#persistError()
  }

  /** Queues the line (without its LF) of an entry that is being added, in the same step. */
  enqueue(entry: SessionEntry, text: string): void {
    this.#queue.add(entry, text, this.#host.isPlain(text))
    this.#started ||= opensFile(entry, this.#options.persistFrom)
    if (this.#started) this.#schedule()
  }

  /** Puts lines in front of what is queued: entries that were stored once, and are no longer. */
  requeue(lines: readonly { entry: SessionEntry; text: string }[]): void {
    const first = new LineQueue()
    for (const { entry, text } of lines) first.add(entry, text, this.#host.isPlain(text))
    this.#queue.putFirst(first)
  }

  /**
   * Resolves when all entries appended before are stored and, unless the durability is `none`, synced.
   * A session that is not worth a file yet stays in memory.
   * @throws PersistError, SessionClosedError
   */
  async flush(): Promise<void> {
    if (this.#isClosed) throw closedError(this.key)
    await this.#turns.run(async () => {
      await this.#drain()
      await this.#sync()
      this.#assertDone()
    })
  }

  /**
   * Tries again what failed. Where the file was replaced meanwhile, `reload` reads the new one first.
   * @param recreate store the whole session again where it was removed
   * @throws PersistError when it fails again
   */
  async retry(reload: () => Promise<StoredTail>, recreate: boolean): Promise<void> {
    if (this.#isClosed) throw closedError(this.key)
    await this.#turns.run(async () => {
      const failure = this.#failure
      this.#failure = undefined
      await this.#attempt(async () => {
        if (recreate && this.#tail && !(await this.#storage.stat(this.key))) return this.#storeWhole(this.key)
        if (!isTreelogError(failure, "SessionChangedError") || failure.data.change === "grown") return
        await this.#letGo()
        await this.#withLease(async () => {
          this.#tail = await reload()
        })
      })
      await this.#drain()
      await this.#sync()
      this.#assertDone()
    })
  }

  /**
   * Stores the whole session under another key, and goes on there. What is stored under the old key stays as it is.
   * @throws SessionExistsError, SessionBusyError, StorageError: the session is where it was; SessionClosedError
   */
  async saveAs(key: string): Promise<void> {
    if (this.#isClosed) throw closedError(this.key)
    await this.#turns.run(async () => {
      if (this.#isClosed) throw closedError(this.key)
      await this.#storeWhole(key)
      this.#failure = undefined
      this.#started = true
    })
  }

  /** Makes a stored session of all entries, those that wait among them. Where that fails, nothing has changed. */
  async #storeWhole(key: string): Promise<void> {
    const { access, busyTimeoutMs, durability } = this.#options
    const isHere = key === this.key
    // The lease of what is no longer there would exclude the new one.
    if (isHere) await this.#letGo()
    const lease = await this.#storage.lease(key, { access, waitMs: this.#isShared ? busyTimeoutMs : 0 })
    // What is appended from here on follows in a queue of its own.
    const waiting = this.#queue
    this.#queue = new LineQueue()
    let isCreated = false
    try {
      const batch = await this.#host.everything().batch((line) => this.#host.prepare(line))
      const artifactsFrom = isHere ? undefined : this.#tail ? this.key : this.#artifactsFrom
      const { tail, places } = await writeFirstBatch(lease, this.#storage, batch, this.#host.header(), artifactsFrom)
      isCreated = true
      if (durability !== "none") await lease.sync()
      const left = this.#isShared ? [this.#lease, lease] : [this.#lease]
      this.#lease = this.#isShared ? undefined : lease
      this.#key = key
      this.#tail = tail
      this.#unsynced = false
      this.#host.storedAnew(places)
      // The session is stored by now. A lease that cannot be given back stands in nobody's way (`Lease.release`).
      await Promise.allSettled(left.map((one) => one?.release()))
    } catch (error) {
      waiting.putLast(this.#queue)
      this.#queue = waiting
      await Promise.allSettled([isCreated && lease.remove()])
      await Promise.allSettled([lease.release()])
      throw error
    }
  }

  /**
   * Runs `work`, which may append, when all that others appended is taken in. What it appends is stored when the promise
   * resolves, and nobody else could append in between, but for programs that know no lease.
   * @throws what `work` throws; SessionBusyError, SessionChangedError: it was not run; PersistError, SessionClosedError
   */
  withExclusiveWrite<T>(work: () => T): Promise<T> {
    return this.#turns.run(async () => {
      await this.#drain()
      this.assertWritable()
      if (!this.#started) return work()
      return this.#withLease(async (lease) => {
        if (this.#tail) this.#host.absorb(await this.#tail.read({ whole: true }))
        const result = work()
        await this.#attempt(async () => {
          const batch = await this.#ready()
          if (batch.entries.length > 0) await this.#store(lease, batch)
        })
        if (this.#failure !== undefined) throw this.#persistError()
        return result
      })
    })
  }

  /** Reads in what others appended. */
  async refresh(): Promise<void> {
    await this.#turns.run(async () => {
      if (this.#tail) this.#host.absorb(await this.#tail.read({ whole: false }))
    })
  }

  /** Flushes, then gives the session back. When that fails the session stays open, so that `retry` can be called. */
  async close(): Promise<void> {
    // What is appended while the last of it is being written is not left behind.
    while (!this.#isClosed) {
      await this.flush()
      if (!this.#isUnfinished) break
    }
    await this.discard()
  }

  /** Gives the session back without writing what is pending. */
  async discard(): Promise<void> {
    this.#isClosed = true
    await this.#turns.run(() => this.#letGo())
  }

  #schedule(): void {
    if (this.#scheduled || this.#failure !== undefined) return
    this.#scheduled = true
    // A turn of its own: what is appended in the same go leaves in one write.
    void Promise.resolve().then(() => {
      this.#scheduled = false
      return this.#turns.run(() => this.#drain())
    })
  }

  async #drain(): Promise<void> {
    if (!this.#started) return
    await this.#attempt(async () => {
      while (!this.#isClosed && (this.#queue.size > 0 || !this.#tail || this.#tail.stat.size === 0))
        await this.#writeBatch()
    })
  }

  async #sync(): Promise<void> {
    if (!this.#unsynced || this.#options.durability === "none") return
    await this.#attempt(async () => {
      await this.#lease?.sync()
      this.#unsynced = false
      if (this.#isShared) await this.#letGo()
    })
  }

  /** Does nothing after a failure, and keeps the failure of what it does: it is told to whoever asks next. */
  async #attempt(work: () => Promise<void>): Promise<void> {
    if (this.#failure !== undefined) return
    try {
      await work()
    } catch (error) {
      this.#failure = error
    }
  }

  async #writeBatch(): Promise<void> {
    // Before the lease: nobody waits while a blob is stored, and a blob is durable before the line that names it.
    const batch = await this.#ready()
    await this.#withLease((lease) => this.#store(lease, batch))
  }

  #ready(): Promise<Batch> {
    return this.#queue.batch((line) => this.#host.prepare(line))
  }

  async #store(lease: Lease, batch: Batch): Promise<void> {
    if (this.#tail) await writeBatch(lease, this.#tail, batch, this.#host)
    else {
      const { tail, places } = await writeFirstBatch(
        lease,
        this.#storage,
        batch,
        this.#host.header(),
        this.#artifactsFrom,
      )
      this.#tail = tail
      batch.entries.forEach((entry, index) => {
        this.#host.placed(entry, places[index] as Place)
      })
    }
    this.#queue.drop(batch)
    this.#unsynced = true
    if (!this.#syncsEachBatch) return
    await lease.sync()
    this.#unsynced = false
  }

  /** @throws PersistError; SessionClosedError: it was discarded meanwhile, with what was not written yet */
  #assertDone(): void {
    if (this.#failure !== undefined) throw this.#persistError()
    if (this.#isClosed && this.#isUnfinished) throw closedError(this.key)
  }

  /** Whether there is something that a flush would write or sync. */
  get #isUnfinished(): boolean {
    return this.#started && (this.#queue.size > 0 || (this.#unsynced && this.#options.durability !== "none"))
  }

  /** A shared session gives its lease back after each batch, and a later lease could not sync what this one wrote. */
  get #syncsEachBatch(): boolean {
    const { durability } = this.#options
    return durability === "always" || (this.#isShared && durability === "flush")
  }

  get #isShared(): boolean {
    return this.#options.access === "shared"
  }

  /** An exclusive session keeps its lease from the first write on; a shared one holds it for as long as a batch takes. */
  async #withLease<T>(work: (lease: Lease) => Promise<T>): Promise<T> {
    const { access, busyTimeoutMs } = this.#options
    this.#lease ??= await this.#storage.lease(this.key, { access, waitMs: this.#isShared ? busyTimeoutMs : 0 })
    try {
      return await work(this.#lease)
    } finally {
      const mustStillSync = this.#unsynced && this.#syncsEachBatch
      if (this.#isShared && !mustStillSync) await this.#letGo()
    }
  }

  async #letGo(): Promise<void> {
    const lease = this.#lease
    this.#lease = undefined
    await lease?.release()
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

export function closedError(key: string | undefined): TreelogError<"SessionClosedError"> {
  return new TreelogError("SessionClosedError", `The session ${key ?? "in memory"} was closed.`, { key })
}

/** Whether a new session gets its file with this entry. */
export function opensFile(entry: SessionEntry, from: PersistFrom): boolean {
  if (from === "create") return true
  if (!isEntry(entry, "message")) return false
  return entry.message.role === "assistant" || (from === "user" && entry.message.role === "user")
}
