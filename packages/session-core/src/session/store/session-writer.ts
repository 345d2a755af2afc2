import { isEntry, type SessionEntry } from "../../entry/entry.js"
import { isTreelogError, TreelogError } from "../../errors.js"
import type { Lease, SessionStorage } from "../../ports/session-storage.js"
import type { StoredTail } from "../stored/stored-tail.js"
import { type Batch, LineQueue } from "./line-queue.js"
import { Turns } from "./turns.js"
import { writeBatch, writeFirstBatch } from "./write-batch.js"
import type { WriterHost } from "./writer-host.js"

// The crash argument. An entry is in memory, in order, until the storage has taken its line; a batch of lines is taken whole
// or not at all (`Lease.append`), and leaves the queue in the same step in which the storage says so. So at any moment each
// entry is either in the queue or in the storage, never in both and never in neither, and an error in between only stops the
// queue. `flush` resolves after `Lease.sync`: what it acknowledged outlives a crash.
//
// What may only be appended as long as others have not appended something else is decided in `undisturbed`: under the lease,
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

/** Writes one session: strictly in order, lines that are queued together in one write (FORMAT.md, section 7). */
export class SessionWriter {
  readonly key: string
  readonly #storage: SessionStorage
  readonly #options: WriterOptions
  readonly #host: WriterHost
  #tail: StoredTail | undefined
  #lease: Lease | undefined
  readonly #queue = new LineQueue()
  /** False while nothing of a new session is worth a file. */
  #started: boolean
  #failure: unknown
  #isClosed = false
  #unsynced = false
  /** Everything that reaches the storage. */
  readonly #turns = new Turns()
  #scheduled = false

  /**
   * @param stored what is stored already, and the lease that was taken to read it; neither for a new session
   */
  constructor(
    storage: SessionStorage,
    key: string,
    options: WriterOptions,
    host: WriterHost,
    stored: { tail?: StoredTail | undefined; lease?: Lease | undefined } = {},
  ) {
    this.#storage = storage
    this.key = key
    this.#options = options
    this.#host = host
    this.#tail = stored.tail
    this.#lease = stored.lease
    this.#started = stored.tail !== undefined || options.persistFrom === "create"
    if (this.#started && (!this.#tail || this.#tail.stat.size === 0)) this.#schedule()
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

  /** Queues the line (without its LF) of an entry that is being added, in the same step. Where memory fails nothing is queued. */
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
   * @throws PersistError when it fails again
   */
  async retry(reload: (storage: SessionStorage, key: string) => Promise<StoredTail>): Promise<void> {
    if (this.#isClosed) throw closedError(this.key)
    await this.#turns.run(async () => {
      const failure = this.#failure
      this.#failure = undefined
      if (isTreelogError(failure, "SessionChangedError") && failure.data.change !== "grown") {
        await this.#attempt(async () => {
          await this.#letGo()
          await this.#withLease(async () => {
            this.#tail = await reload(this.#storage, this.key)
          })
        })
      }
      await this.#drain()
      await this.#sync()
      this.#assertDone()
    })
  }

  /**
   * Runs `work`, which may append, when all that others appended is taken in. What it appends is stored when the promise
   * resolves, and nobody else could append in between, but for programs that know no lease.
   * @throws what `work` throws; SessionBusyError, SessionChangedError: it was not run; PersistError, SessionClosedError
   */
  undisturbed<T>(work: () => T): Promise<T> {
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
    else this.#tail = await writeFirstBatch(lease, this.#storage, batch, this.#host)
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
    const message = `${this.key} could not be written: ${why} ${pending} entries are kept in memory; retry() writes them again.`
    return new TreelogError("PersistError", message, { path: this.key, pending }, { cause: this.#failure })
  }
}

export function closedError(key: string | undefined): TreelogError<"SessionClosedError"> {
  return new TreelogError("SessionClosedError", `The session ${key ?? "in memory"} was closed.`, { key })
}

function opensFile(entry: SessionEntry, from: PersistFrom): boolean {
  if (from === "create") return true
  if (!isEntry(entry, "message")) return false
  return entry.message.role === "assistant" || (from === "user" && entry.message.role === "user")
}
