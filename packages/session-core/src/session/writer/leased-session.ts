import { isTreelogError, type TreelogErrorData } from "../../errors.js"
import { byteText } from "../../log/byte-text.js"
import { joinBytes } from "../../log/bytes.js"
import { encodeLine } from "../../log/format-line.js"
import type { Line } from "../../log/line.js"
import type { StorageStat } from "../../ports/session-source.js"
import type { Lease, SessionStorage } from "../../ports/session-storage.js"
import { isSyncLease, isSyncStorage } from "../../ports/sync-storage.js"
import { run, type Steps, step } from "../../steps.js"
import { statStored, storedLinesFrom } from "../reader/read-stored.js"
import { StoredTail } from "../reader/stored-tail.js"
import { refuseSync } from "../session-errors.js"
import { leaseOptions, type WriterOptions } from "../session-options.js"
import type { SessionContent } from "../session-parts.js"
import type { WaitingLine } from "../session-state.js"
import { type LeaseUser, SessionLease } from "./session-lease.js"
import { type EncodedLines, encodeLines, NOTHING_STORED } from "./waiting-lines.js"

/** What is stored of a session already, and the lease that was taken to read it; neither for a new session. */
export interface StoredStart {
  readonly tail?: StoredTail | undefined
  readonly lease?: Lease | undefined
  /** Whose artifacts a new session gets. */
  readonly artifactsFrom?: string | undefined
}

/** What the store of the session does for its stored side. */
export interface LeasedSessionHost {
  /** Adds what others appended to the state. */
  absorb(lines: readonly Line[]): void
  /** Reads an object that took the place of ours: what it lacks of ours waits again. @throws SessionChangedError for another session */
  reload(): Steps<StoredTail>
}

/** So often a batch is appended by the storage under a lease of its own while others append; then it waits for the lease like theirs. */
const UNLEASED_ATTEMPTS = 2

/** Sends bytes to the storage. Returns the new state, or how to wait for it. */
type Append = (bytes: Uint8Array, expected: StorageStat) => StorageStat | Steps<StorageStat>

/**
 * The stored side of a session that is written: where it ends, and how lines get there. What others appended is always read before a batch is
 * written. `#append` is the one way to write lines to what is stored; how the bytes are sent is an argument of it.
 *
 * Where the storage writes without promises, a batch is appended and leaves the queue in one go. Only blobs, a lease that another one
 * holds, and the disk are waited for; what is written without promises meanwhile is found by the state of this object after the wait.
 */
export class LeasedSession implements LeaseUser {
  readonly #storage: SessionStorage
  readonly #options: WriterOptions
  readonly #content: SessionContent
  readonly #host: LeasedSessionHost
  readonly #artifactsFrom: string | undefined
  readonly isShared: boolean
  /** A shared session gives its lease back after each batch, and a later lease could not sync what this one wrote. */
  readonly #syncsEachBatch: boolean
  readonly #writesThrough: boolean
  #tail: StoredTail | undefined
  readonly #lease: SessionLease
  /** Counts writes; those up to `#synced` are on the disk. */
  #written = 0
  #synced = 0
  /** A create of this session failed, and may have stored it anyway. */
  #createFailed = false
  /** What is stored now was written by others: it is synced as a whole. */
  #wasReplaced = false
  #isStoringAnew = false
  /** Appends under a lease that the storage takes for this append alone: over a network, one round trip instead of three. */
  readonly #appendUnleased: Append | undefined

  constructor(
    storage: SessionStorage,
    key: string,
    options: WriterOptions,
    content: SessionContent,
    host: LeasedSessionHost,
    { tail, lease, artifactsFrom }: StoredStart,
  ) {
    this.#storage = storage
    this.#options = options
    this.#content = content
    this.#host = host
    this.#tail = tail
    this.#lease = new SessionLease(storage, key, options, this, lease)
    this.#artifactsFrom = artifactsFrom
    const { access, durability } = options
    this.isShared = access === "shared"
    this.#syncsEachBatch = durability === "always" || (this.isShared && durability === "flush")
    this.#writesThrough = durability === "write-through"
    const { leaseAndAppend } = storage
    if (this.isShared && leaseAndAppend && !isSyncStorage(storage))
      this.#appendUnleased = (bytes, expected) =>
        step(() => leaseAndAppend.call(storage, this.key, leaseOptions(options), bytes, expected))
  }

  get key(): string {
    return this.#lease.key
  }

  get isStored(): boolean {
    return this.#tail !== undefined
  }

  /** Undefined before the first write. */
  get identity(): string | undefined {
    return this.#tail?.stat.identity
  }

  /** Whether a header is stored. */
  get isBegun(): boolean {
    return this.#tail !== undefined && this.#tail.stat.size > 0
  }

  get #hasUnsynced(): boolean {
    return this.#synced < this.#written
  }

  get isSyncDue(): boolean {
    return this.#hasUnsynced && this.#syncsEachBatch
  }

  get mustSync(): boolean {
    return this.#hasUnsynced && this.#options.durability !== "none"
  }

  /** Runs `work` once more, with a new lease, when the lease was lost: `work` must be safe to repeat then. */
  withLease<T>(work: (lease: Lease) => Steps<T>): Steps<T> {
    // Others may have written since the lease was lost.
    return this.#lease.use(work, (lease) => this.#afterReading(work(lease)))
  }

  *#afterReading<T>(work: Steps<T>, held?: Lease): Steps<T> {
    // Fails where the lease has lapsed, before `work` decides anything.
    if (held && this.#storage.leasesExpire) yield* step(() => held.sync())
    yield* this.read({ whole: true })
    return yield* work
  }

  /** Runs `work` as `withLease` does, while the lease is certainly held, and all that is stored was read. */
  withCurrentState<T>(work: (lease: Lease) => Steps<T>): Steps<T> {
    return this.withLease((lease) => this.#afterReading(work(lease), lease))
  }

  /**
   * Writes the waiting lines that are ready.
   * @param all also those that are not ready: images and long texts stay in them
   */
  *writeBatch(all: boolean): Steps<void> {
    if (this.#appendUnleased && (yield* this.#writeUnleased(this.#appendUnleased))) return
    if (this.#hasToWrite(all)) yield* this.withLease((lease) => this.write(lease, all))
  }

  /** False where the lease is held or needed, or where others append at the same time. */
  *#writeUnleased(append: Append): Steps<boolean> {
    for (let attempt = 1; attempt <= UNLEASED_ATTEMPTS; attempt++) {
      const lines = this.#readyLines
      if (!this.#tail || !this.isBegun || this.#lease.held || lines.length === 0) return false
      if (yield* this.#append(lines, this.#tail, append)) {
        // What the storage appends so is durable.
        this.#synced = this.#written
        return true
      }
      yield* this.read({ whole: false })
    }
    return false
  }

  #hasToWrite(all: boolean): boolean {
    return !this.isBegun || this.#linesToWrite(all).length > 0 || this.isSyncDue
  }

  /** Releases the lease for good: when it resolves, no lock is left. */
  close(): Promise<void> {
    return this.#lease.close()
  }

  /** Reads what others appended. @param whole under a lease: a last line without LF as well, since no writer is at it */
  *read({ whole }: { whole: boolean }): Steps<void> {
    if (!this.#tail) return
    try {
      this.#host.absorb(yield* this.#tail.read({ whole }))
    } catch (error) {
      if (!isChanged(error, "replaced")) throw error
      yield* this.reload()
    }
  }

  /** Continues at the end of an object that took the place of the one that was written. @throws SessionChangedError */
  *reload(): Steps<void> {
    if (this.#isStoringAnew) refuseSync(this.key, "saveAs() is under way")
    this.#tail = yield* this.#host.reload()
    this.#wasReplaced = true
    this.#written++
  }

  /** Whether the session was stored and is not there any more. */
  async isGone(): Promise<boolean> {
    return this.#tail !== undefined && !(await this.#storage.stat(this.key))
  }

  /**
   * Stores the waiting lines: where nothing is stored yet, with the header and the artifacts. When others have appended, that is read
   * first, and shows which lines are whose: one that is stored already, since the answer to an append was lost, is not stored again.
   */
  *write(lease: Lease, all = false): Steps<void> {
    const append: Append = isSyncLease(this.#storage, lease)
      ? (bytes, expected) => lease.appendSync(bytes, expected)
      : (bytes, expected) => step(() => lease.append(bytes, expected))
    for (let lines = this.#linesToWrite(all); !this.isBegun || lines.length > 0; lines = this.#linesToWrite(all)) {
      const isDone = this.#tail
        ? yield* this.#append(lines, this.#tail, append)
        : yield* this.#createFirst(lease, lines)
      if (!isDone) yield* this.read({ whole: true })
    }
    if (this.isSyncDue) yield* this.#sync(lease)
  }

  #linesToWrite(all: boolean): readonly WaitingLine[] {
    return all ? this.#content.state.waiting : this.#readyLines
  }

  get #readyLines(): readonly WaitingLine[] {
    const { waiting } = this.#content.state
    const unready = waiting.findIndex(({ isReady }) => !isReady)
    return unready === -1 ? waiting : waiting.slice(0, unready)
  }

  /** False where it was created in the same moment, or earlier without our hearing of it. */
  *#createFirst(lease: Lease, lines: readonly WaitingLine[]): Steps<boolean> {
    if (this.#isStoringAnew) refuseSync(this.key, "saveAs() is under way")
    if (this.#createFailed && (yield* this.#wasCreated())) return false
    const encoded = this.#encode(lines, undefined)
    this.#written++
    try {
      const stat = yield* this.#create(lease, encoded, this.#artifactsFrom)
      if (this.#tail) return false
      this.#tail = new StoredTail(this.#storage, lease.key, stat, encoded.end)
      this.#content.state.stored(encoded.places)
      return true
    } catch (error) {
      if (isTreelogError(error, "SessionExistsError") && (yield* this.#wasCreated())) return false
      throw error
    }
  }

  *#create(lease: Lease, { chunks }: EncodedLines, artifactsFrom: string | undefined): Steps<StorageStat> {
    // No caller was promised more than the system's memory before the first sync.
    const options = { sync: !this.#writesThrough && this.#options.durability !== "none" }
    if (isSyncLease(this.#storage, lease) && !options.sync && artifactsFrom === undefined)
      return lease.createSync(chunks, options)
    try {
      return yield* step(
        () => lease.create(chunks, artifactsFrom === undefined ? {} : { artifactsFrom }),
        () => {
          if (artifactsFrom !== undefined) refuseSync(this.key, "its artifacts are to be copied")
          return isSyncLease(this.#storage, lease)
            ? lease.createSync(chunks, options)
            : refuseSync(this.key, "another lease is held")
        },
      )
    } catch (error) {
      if (lease.key === this.key && isTreelogError(error, "StorageError")) this.#createFailed = true
      throw error
    }
  }

  /**
   * Whether what is stored is this session, whose creation failed or was not heard of: it begins with our header, which has our id and
   * time. Then continues after the header; reading finds which of our lines are stored.
   */
  *#wasCreated(): Steps<boolean> {
    if (this.#tail) return true
    const { chunks, end } = this.#encode([], undefined)
    const stat = yield* statStored(this.#storage, this.key)
    if (!stat || stat.size < end.size) return false
    const first = { ...stat, size: end.size }
    const [line] = yield* storedLinesFrom(this.#storage, this.key, { line: 1, offset: 0 }, first)
    if (!line?.terminated || `${byteText(line.bytes)}\n` !== byteText(joinBytes(chunks))) return false
    this.#tail ??= new StoredTail(this.#storage, this.key, first, end)
    return true
  }

  /**
   * Appends lines to what is stored, and takes them from the queue in the same step in which the storage reports that it has them.
   * False where others have appended since that was last read, or did in the same moment, or where they replaced it.
   */
  *#append(lines: readonly WaitingLine[], tail: StoredTail, send: Append): Steps<boolean> {
    const encoded = this.#encodeNext(lines, tail)
    try {
      const answer = send(joinBytes(encoded.chunks), tail.stat)
      return this.#took(encoded, tail, "size" in answer ? answer : yield* answer)
    } catch (error) {
      if (isChanged(error, "grown") || isChanged(error, "replaced")) return false
      throw error
    }
  }

  #encodeNext(lines: readonly WaitingLine[], tail: StoredTail): EncodedLines {
    if (this.#isStoringAnew) refuseSync(this.key, "saveAs() is under way")
    this.#written++
    return this.#encode(lines, tail)
  }

  /** Takes what was appended from the queue. False where others have appended. */
  #took({ places, end }: EncodedLines, tail: StoredTail, stat: StorageStat): boolean {
    if (stat.size !== end.size) return false
    tail.wrote(stat, end.lines - tail.end.lines)
    this.#content.state.stored(places)
    return true
  }

  #encode(lines: readonly WaitingLine[], tail: StoredTail | undefined): EncodedLines {
    const { header, titleSlot } = this.#content
    const behind = tail?.end ?? NOTHING_STORED
    if (behind.size > 0) return encodeLines(lines, behind)
    // The title of omp's line before the header becomes the header's, since that line is written by omp alone.
    return encodeLines(lines, behind, encodeLine(titleSlot?.title ? { ...header, title: titleSlot.title } : header))
  }

  /** Syncs what was written. */
  sync(): Steps<void> {
    return this.withLease((lease) => this.#sync(lease))
  }

  /** Where another object took the place of what was written, that one is synced: what it lacks of ours waits to be written again. */
  *#sync(lease: Lease): Steps<void> {
    // What is written while this waits is not synced by it.
    const written = this.#written
    // A shared session that writes through gives its lease back after each append, and syncs by a later one.
    const isWhole = this.#wasReplaced || (this.isShared && this.#writesThrough)
    const options = isWhole && this.#tail ? { all: this.#tail.stat } : {}
    try {
      yield* step(
        () => lease.sync(options),
        () =>
          isSyncLease(this.#storage, lease) ? lease.syncSync(options) : refuseSync(this.key, "another lease is held"),
      )
      this.#wasReplaced = false
      this.#synced = Math.max(this.#synced, written)
    } catch (error) {
      if (!isChanged(error, "replaced")) throw error
      yield* this.reload()
      yield* this.#sync(lease)
    }
  }

  /**
   * Stores the whole session under a key, and continues there. Where that fails, nothing has changed.
   * @param lines gives those of all entries, prepared: what is appended from its call on is not written before this is done
   */
  async storeAnew(key: string, lines: () => Promise<readonly WaitingLine[]>): Promise<void> {
    this.#isStoringAnew = true
    try {
      await this.#storeAnew(key, await lines())
    } finally {
      this.#isStoringAnew = false
    }
  }

  async #storeAnew(key: string, lines: readonly WaitingLine[]): Promise<void> {
    const isHere = key === this.key
    // The lease of what is no longer there would exclude the new one.
    if (isHere) await run(this.#lease.release())
    const lease = await this.#storage.lease(key, leaseOptions(this.#options))
    let stat: StorageStat | undefined
    try {
      const encoded = this.#encode(lines, undefined)
      const artifactsFrom = isHere ? undefined : this.#tail ? this.key : this.#artifactsFrom
      stat = await run(this.#create(lease, encoded, artifactsFrom))
      if (this.#options.durability !== "none") await lease.sync()
      this.#tail = new StoredTail(this.#storage, key, stat, encoded.end)
      this.#synced = this.#written
      this.#content.state.stored(encoded.places, 0)
      // The session is stored by now.
      await this.#lease.replace(lease, key)
    } catch (error) {
      await Promise.allSettled([stat && lease.remove()])
      await Promise.allSettled([lease.release()])
      throw error
    }
  }
}

function isChanged(error: unknown, change: TreelogErrorData["SessionChangedError"]["change"]): boolean {
  return isTreelogError(error, "SessionChangedError") && error.data.change === change
}
