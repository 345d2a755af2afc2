import { isTreelogError, TreelogError, type TreelogErrorData } from "../../errors.js"
import { byteText } from "../../log/byte-text.js"
import { joinBytes } from "../../log/bytes.js"
import { encodeLine } from "../../log/format-line.js"
import type { Line } from "../../log/line.js"
import type { LogEnd } from "../../log/session-log.js"
import type { Lease, SessionStorage, StorageStat, SyncLease } from "../../ports/session-storage.js"
import { sessionChanged } from "../../ports/stored-errors.js"
import { isSyncLease, isSyncStorage, releaseLease } from "../../ports/sync-storage.js"
import { run, type Steps, step } from "../../steps.js"
import { statStored, storedLinesFrom } from "../reader/read-stored.js"
import { StoredTail } from "../reader/stored-tail.js"
import { leaseOptions, type WriterOptions } from "../session-options.js"
import type { SessionContent } from "../session-parts.js"
import type { WaitingLine } from "../session-state.js"
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

/** So often a batch is tried in one step while others append; then it waits for the lease like theirs. */
const ONE_STEP_ATTEMPTS = 2

type Append = (bytes: Uint8Array, expected: StorageStat) => Steps<StorageStat>

/**
 * The stored side of a session that is written: its key, its lease, and where it ends. An exclusive session keeps its lease from the
 * first write on, and takes a new one when it lapsed; a shared one holds it for as long as a batch takes. What others appended is
 * always read before a batch is written.
 *
 * Where the storage writes without promises, a batch is appended and leaves the queue in one go. Only blobs, a lease that another one
 * holds, and the disk are waited for; what is written without promises meanwhile is found by the state of this object after the wait.
 */
export class LeasedSession {
  #key: string
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
  #lease: Lease | undefined
  /** How many use the lease now. */
  #users = 0
  /** The lease of the last write of a session that is shared and writes through. */
  #parked: SyncLease | undefined
  /** Counts writes; those up to `#synced` are on the disk. */
  #written = 0
  #synced = 0
  /** A create of this session failed, and may have stored it anyway. */
  #createFailed = false
  /** What is stored now was written by others: it is synced as a whole. */
  #wasReplaced = false
  #isStoringAnew = false

  constructor(
    storage: SessionStorage,
    key: string,
    options: WriterOptions,
    content: SessionContent,
    host: LeasedSessionHost,
    { tail, lease, artifactsFrom }: StoredStart,
  ) {
    this.#storage = storage
    this.#key = key
    this.#options = options
    this.#content = content
    this.#host = host
    this.#tail = tail
    this.#lease = lease
    this.#artifactsFrom = artifactsFrom
    const { access, durability } = options
    this.isShared = access === "shared"
    this.#syncsEachBatch = durability === "always" || (this.isShared && durability === "flush")
    this.#writesThrough = durability === "write-through"
  }

  get key(): string {
    return this.#key
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

  get mustSync(): boolean {
    return this.#hasUnsynced && this.#options.durability !== "none"
  }

  /** Runs `work` once more, with a new lease, when the lease was lost: `work` must be safe to repeat then. */
  *withLease<T>(work: (lease: Lease) => Steps<T>): Steps<T> {
    try {
      return yield* this.#withOneLease(work)
    } catch (error) {
      if (!isTreelogError(error, "LeaseLostError")) throw error
      yield* this.release()
    }
    // Others may have written since the lease was lost.
    return yield* this.#withOneLease((lease) => this.#afterReading(work(lease)))
  }

  *#afterReading<T>(work: Steps<T>): Steps<T> {
    yield* this.read({ whole: true })
    return yield* work
  }

  *#withOneLease<T>(work: (lease: Lease) => Steps<T>): Steps<T> {
    const lease = this.#lease ?? this.#resumed() ?? (yield* this.#taken())
    this.#lease = lease
    let isDone = false
    let isGone = false
    this.#users++
    try {
      const result = yield* work(lease)
      isDone = true
      return result
    } catch (error) {
      isGone = isChanged(error, "gone")
      throw error
    } finally {
      this.#users--
      const mustStillSync = this.#hasUnsynced && this.#syncsEachBatch && !isGone
      if (this.isShared && this.#users === 0 && !mustStillSync) yield* this.release(isDone)
    }
  }

  #resumed(): Lease | undefined {
    return this.#parked?.resume() ? this.#parked : undefined
  }

  /** At once where nobody has it, so that there is no moment in which the storage has a lease of ours that we have not. */
  *#taken(): Steps<Lease> {
    const [storage, options] = [this.#storage, leaseOptions(this.#options)]
    if (isSyncStorage(storage)) {
      // A folder that was removed is not made again for a lock.
      if (this.#tail && !storage.statSync(this.key)) throw sessionChanged(this.key, "gone")
      try {
        return storage.leaseSync(this.key, { ...options, waitMs: 0 })
      } catch (error) {
        if (!isTreelogError(error, "SessionBusyError") || options.waitMs === 0) throw error
      }
    }
    return yield* step(
      () => storage.lease(this.key, options),
      () => (isSyncStorage(storage) ? storage.leaseSync(this.key, options) : this.#refuse("it has to wait")),
    )
  }

  /** Runs `work` as `withLease` does, while the lease is certainly held, and all that is stored was read. */
  withCurrentState<T>(work: (lease: Lease) => Steps<T>): Steps<T> {
    return this.withLease((lease) => this.#whileHeld(lease, this.#afterReading(work(lease))))
  }

  /** Fails where a lease that was taken earlier has lapsed, before `work` decides anything. */
  *#whileHeld<T>(lease: Lease, work: Steps<T>): Steps<T> {
    if (this.#storage.supports.expires) yield* step(() => lease.sync())
    return yield* work
  }

  /**
   * Writes the waiting lines that are ready: in one step, where the storage can, for a shared session that has begun.
   * @param all also those that are not ready: images and long texts stay in them
   */
  *writeBatch(all: boolean): Steps<void> {
    for (let attempt = 1; attempt <= ONE_STEP_ATTEMPTS && this.#canWriteInOneStep; attempt++) {
      if (yield* this.#writeInOneStep()) return
      yield* this.read({ whole: false })
    }
    if (this.#hasToWrite(all)) yield* this.withLease((lease) => this.write(lease, all))
  }

  get #canWriteInOneStep(): boolean {
    const { leaseAndAppend } = this.#storage
    const isRemote = leaseAndAppend !== undefined && !isSyncStorage(this.#storage)
    return isRemote && this.isShared && !this.#lease && this.isBegun && this.#readyLines.length > 0
  }

  #hasToWrite(all: boolean): boolean {
    return !this.isBegun || this.#linesToWrite(all).length > 0 || (this.#hasUnsynced && this.#syncsEachBatch)
  }

  /** @param isToResume whether the session will soon be written again: its lock need not be made anew then */
  *release(isToResume = false): Steps<void> {
    const lease = this.#lease
    this.#lease = undefined
    if (!lease) return
    // Without a moment in which an append could find the session held by ourselves.
    if (this.#writesThrough && isSyncLease(this.#storage, lease)) {
      if (isToResume && this.isShared) lease.park()
      else lease.releaseSync()
      this.#parked = lease
    } else yield* releaseLease(this.#storage, lease)
  }

  /** Releases it for good: no lock is kept for a next append. */
  async close(): Promise<void> {
    const lease = this.#lease ?? this.#parked
    this.#lease = undefined
    this.#parked = undefined
    await lease?.release()
  }

  /** Reads what others appended. @param whole under a lease: a last line without LF as well, since nobody is writing it */
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
    if (this.#isStoringAnew) this.#refuse("saveAs() is under way")
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
    const append: Append = (bytes, expected) => this.#appendTo(lease, bytes, expected)
    while (!this.isBegun || this.#linesToWrite(all).length > 0) {
      const lines = this.#linesToWrite(all)
      const isDone = this.#tail
        ? yield* this.#append(append, lines, this.#tail)
        : yield* this.#createFirst(lease, lines)
      if (!isDone) yield* this.read({ whole: true })
    }
    if (this.#hasUnsynced && this.#syncsEachBatch) yield* this.#sync(lease)
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
    if (this.#isStoringAnew) this.#refuse("saveAs() is under way")
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
    // Nobody was promised more than the system's memory before the first sync.
    const options = { sync: !this.#writesThrough && this.#options.durability !== "none" }
    if (isSyncLease(this.#storage, lease) && !options.sync && artifactsFrom === undefined)
      return lease.createSync(chunks, options)
    try {
      return yield* step(
        () => lease.create(chunks, artifactsFrom === undefined ? {} : { artifactsFrom }),
        () => {
          if (artifactsFrom !== undefined) this.#refuse("its artifacts are to be copied")
          return isSyncLease(this.#storage, lease)
            ? lease.createSync(chunks, options)
            : this.#refuse("another lease is held")
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

  /** At once, where the storage can. */
  *#appendTo(lease: Lease, bytes: Uint8Array, expected: StorageStat): Steps<StorageStat> {
    if (isSyncLease(this.#storage, lease)) return lease.appendSync(bytes, expected)
    return yield* step(() => lease.append(bytes, expected))
  }

  /**
   * Appends the one line of an append under a lease that is at hand, as it is with nearly each append of a session that writes through: without
   * steps, which take as long as the append. False where more is to be done, or something is wrong; the steps show what.
   */
  appendAtOnce(): boolean {
    const tail = this.#tail
    const { waiting } = this.#content.state
    const line = waiting[0]
    if (!line || waiting.length > 1 || !tail?.end.terminated) return false
    const lease = this.#lease ?? (this.#parked?.isParked() ? this.#parked : undefined)
    if (!lease || !isSyncLease(this.#storage, lease)) return false
    if (!this.isBegun || this.#syncsEachBatch || this.#isStoringAnew) return false
    try {
      const { size: offset, lines } = tail.end
      this.#written++
      const stat = lease.appendSync(`${line.text}\n`, tail.stat)
      const place = { line: lines + 1, offset, length: stat.written - 1 }
      const end = { size: offset + stat.written, lines: lines + 1, terminated: true }
      return this.#noteAppended(stat, tail, [place], end)
    } catch (error) {
      if (!isTreelogError(error)) throw error
      return false
    }
  }

  #noteAppended(stat: StorageStat, tail: StoredTail, places: EncodedLines["places"], end: LogEnd): boolean {
    if (stat.size !== end.size) return false
    tail.wrote(stat, end.lines - tail.end.lines)
    this.#content.state.stored(places)
    return true
  }

  /** False where others have appended since that was last read, or did in the same moment. */
  *#append(append: Append, lines: readonly WaitingLine[], tail: StoredTail): Steps<boolean> {
    if (this.#isStoringAnew) this.#refuse("saveAs() is under way")
    const { chunks, places, end } = this.#encode(lines, tail)
    this.#written++
    try {
      return this.#noteAppended(yield* append(joinBytes(chunks), tail.stat), tail, places, end)
    } catch (error) {
      if (isChanged(error, "grown")) return false
      if (!isChanged(error, "replaced")) throw error
      yield* this.reload()
      return true
    }
  }

  /** False where others have appended; nothing was written then. */
  *#writeInOneStep(): Steps<boolean> {
    const [storage, tail] = [this.#storage, this.#tail]
    if (!storage.leaseAndAppend || !tail) return false
    const leaseAndAppend = storage.leaseAndAppend.bind(storage)
    const append: Append = (bytes, expected) =>
      step(() => leaseAndAppend(this.key, leaseOptions(this.#options), bytes, expected))
    if (!(yield* this.#append(append, this.#readyLines, tail))) return false
    this.#synced = this.#written
    return true
  }

  #encode(lines: readonly WaitingLine[], tail: StoredTail | undefined): EncodedLines {
    const { header, titleSlot } = this.#content
    // The title of omp's line before the header becomes the header's, since that line is written by omp alone.
    const own = () => encodeLine(titleSlot?.title ? { ...header, title: titleSlot.title } : header)
    return encodeLines(lines, tail?.end ?? NOTHING_STORED, own)
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
        () => (isSyncLease(this.#storage, lease) ? lease.syncSync(options) : this.#refuse("another lease is held")),
      )
      this.#wasReplaced = false
      this.#synced = Math.max(this.#synced, written)
    } catch (error) {
      if (!isChanged(error, "replaced")) throw error
      yield* this.reload()
      yield* this.#sync(lease)
    }
  }

  #refuse(reason: string): never {
    const { key } = this
    const message = `${key} cannot be written without promises now: ${reason}.`
    throw new TreelogError("StorageError", message, { key, operation: "flushSync", errno: undefined })
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
    if (isHere) await run(this.release())
    const lease = await this.#storage.lease(key, leaseOptions(this.#options))
    let stat: StorageStat | undefined
    try {
      const encoded = this.#encode(lines, undefined)
      const artifactsFrom = isHere ? undefined : this.#tail ? this.key : this.#artifactsFrom
      stat = await run(this.#create(lease, encoded, artifactsFrom))
      if (this.#options.durability !== "none") await lease.sync()
      const left = this.isShared ? [this.#lease, lease] : [this.#lease]
      this.#lease = this.isShared ? undefined : lease
      this.#key = key
      this.#tail = new StoredTail(this.#storage, key, stat, encoded.end)
      this.#synced = this.#written
      this.#content.state.stored(encoded.places, 0)
      // The session is stored by now. A lease whose release fails excludes nobody (`Lease.release`).
      await Promise.allSettled(left.map((one) => one?.release()))
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
