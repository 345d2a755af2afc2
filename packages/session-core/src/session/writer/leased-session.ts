import { isTreelogError, TreelogError } from "../../errors.js"
import { byteText } from "../../log/byte-text.js"
import { joinBytes } from "../../log/bytes.js"
import { encodeLine } from "../../log/format-line.js"
import type { Line } from "../../log/line.js"
import type { Lease, SessionStorage, StorageStat, SyncLease } from "../../ports/session-storage.js"
import { assertSyncStorage, isSyncLease, readAllSync, type SyncSessionStorage } from "../../ports/sync-storage.js"
import { StoredTail } from "../reader/stored-tail.js"
import { leaseOptions, type WritingOptions } from "../session-options.js"
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

/** So often a batch is tried in one step while others append; then it waits for the lease like theirs. */
const ONE_STEP_ATTEMPTS = 2

type Append = (bytes: Uint8Array, expected: StorageStat) => Promise<StorageStat>

/**
 * The stored side of a session that is written: its key, its lease, and where it ends. An exclusive session keeps its lease from the
 * first write on, and takes a new one when it lapsed; a shared one holds it for as long as a batch takes. What others appended is
 * always read before a batch is written.
 */
export class LeasedSession {
  #key: string
  readonly #storage: SessionStorage
  readonly #options: Required<WritingOptions>
  readonly #content: SessionContent
  readonly #absorb: (lines: readonly Line[]) => void
  readonly #artifactsFrom: string | undefined
  readonly isShared: boolean
  /** A shared session gives its lease back after each batch, and a later lease could not sync what this one wrote. */
  readonly #syncsEachBatch: boolean
  #tail: StoredTail | undefined
  #lease: Lease | undefined
  /** Counts writes; those up to `#synced` are on the disk. */
  #written = 0
  #synced = 0
  /** A create of this session failed, and may have stored it all the same. */
  #createFailed = false
  /** How often lines were written synchronously. What waits for an answer meanwhile finds them stored. */
  #syncWrites = 0
  #isStoringAnew = false
  /** The lease of the last synchronous write of a shared session. */
  #released: SyncLease | undefined

  /** @param absorb adds what others appended to the state */
  constructor(
    storage: SessionStorage,
    key: string,
    options: Required<WritingOptions>,
    content: SessionContent,
    absorb: (lines: readonly Line[]) => void,
    { tail, lease, artifactsFrom }: StoredStart,
  ) {
    this.#storage = storage
    this.#key = key
    this.#options = options
    this.#content = content
    this.#absorb = absorb
    this.#tail = tail
    this.#lease = lease
    this.#artifactsFrom = artifactsFrom
    const { access, durability } = options
    this.isShared = access === "shared"
    this.#syncsEachBatch = durability === "always" || (this.isShared && durability === "flush")
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

  /** Whether all that it writes is made durable by a later sync, or never. */
  get #syncsLater(): boolean {
    const { durability } = this.#options
    return durability === "write-through" || durability === "none"
  }

  /** Runs `work` once more, with a new lease, when the lease was lost: `work` must be safe to repeat then. */
  async withLease<T>(work: (lease: Lease) => Promise<T>): Promise<T> {
    try {
      return await this.#withOneLease(work)
    } catch (error) {
      if (!isTreelogError(error, "LeaseLostError")) throw error
      await this.release()
      return this.#withOneLease(async (lease) => {
        // Others may have written since the lease was lost.
        await this.read({ whole: true })
        return work(lease)
      })
    }
  }

  async #withOneLease<T>(work: (lease: Lease) => Promise<T>): Promise<T> {
    try {
      return await work(await this.#leased())
    } finally {
      const mustStillSync = this.#hasUnsynced && this.#syncsEachBatch
      if (this.isShared && !mustStillSync) await this.release()
    }
  }

  /** At once where nobody has it, so that there is no moment in which the storage has a lease of ours that we have not. */
  async #leased(): Promise<Lease> {
    if (this.#lease) return this.#lease
    const options = leaseOptions(this.#options)
    try {
      this.#lease = this.#storage.leaseSync?.(this.key, { ...options, waitMs: 0 })
    } catch (error) {
      if (!isTreelogError(error, "SessionBusyError") || options.waitMs === 0) throw error
    }
    if (this.#lease) return this.#lease
    const lease = await this.#storage.lease(this.key, options)
    this.#lease = lease
    return lease
  }

  /** Runs `work` as `withLease` does, while the lease is certainly held, and all that is stored was read. */
  withCurrentState<T>(work: (lease: Lease) => Promise<T>): Promise<T> {
    return this.withLease(async (lease) => {
      // Fails where a lease that was taken earlier has lapsed, before `work` decides anything.
      if (this.#storage.supports.expires) await lease.sync()
      await this.read({ whole: true })
      return work(lease)
    })
  }

  /** Writes the waiting lines that are ready: in one step, where the storage can, for a shared session that has begun. */
  async writeBatch(): Promise<void> {
    for (let attempt = 1; attempt <= ONE_STEP_ATTEMPTS && this.#canWriteInOneStep; attempt++) {
      if (await this.#writeInOneStep()) return
      await this.read({ whole: false })
    }
    await this.withLease((lease) => this.write(lease))
  }

  get #canWriteInOneStep(): boolean {
    const isReady = this.#content.state.waiting[0]?.isReady === true
    return this.#storage.leaseAndAppend !== undefined && this.isShared && !this.#lease && this.isBegun && isReady
  }

  async release(): Promise<void> {
    const lease = this.#lease
    this.#lease = undefined
    // Without a moment in which an append could find the session held by ourselves.
    if (this.#options.durability === "write-through" && isSyncLease(lease)) this.#releaseSync(lease)
    else await lease?.release()
  }

  /** Releases it for good: no lock is kept for a next append. */
  async close(): Promise<void> {
    const lease = this.#lease ?? this.#released
    this.#lease = undefined
    this.#released = undefined
    await lease?.release()
  }

  /** Reads what others appended. @param whole under a lease: a last line without LF as well, since nobody is writing it */
  async read({ whole }: { whole: boolean }): Promise<void> {
    if (this.#tail) this.#absorb(await this.#tail.read({ whole }))
  }

  /** Continues at the end of a file that took the place of the one that was written. */
  async replaceTail(reload: () => Promise<StoredTail>): Promise<void> {
    await this.release()
    await this.withLease(async () => {
      this.#tail = await reload()
    })
  }

  /** Whether the session was stored and is not there any more. */
  async isGone(): Promise<boolean> {
    return this.#tail !== undefined && !(await this.#storage.stat(this.key))
  }

  /**
   * Stores the waiting lines that are ready: where nothing is stored yet, with the header and the artifacts. When others have
   * appended, that is read first, and shows which lines are whose: one that is stored already, since the answer to an append was
   * lost, is not stored again.
   */
  async write(lease: Lease): Promise<void> {
    const { state } = this.#content
    const append: Append = async (bytes, expected) => {
      const stat = await lease.append(bytes, expected)
      this.#written++
      return stat
    }
    while (!this.isBegun || state.waiting[0]?.isReady) {
      if (!this.#tail && (await this.#wasCreated())) continue
      const encoded = this.#encode(this.#readyLines, this.#tail)
      const isDone = this.#tail
        ? await this.#append(append, encoded, this.#tail)
        : await this.#createFirst(lease, encoded)
      if (!isDone) await this.read({ whole: true })
    }
    this.#written++
    if (this.#syncsEachBatch) await this.#sync(lease)
  }

  /** False where the session was created synchronously in the same moment. */
  async #createFirst(lease: Lease, encoded: EncodedLines): Promise<boolean> {
    const writes = this.#syncWrites
    try {
      const tail = await this.#create(lease, encoded, this.#artifactsFrom)
      if (writes !== this.#syncWrites) return false
      this.#tail = tail
      this.#content.state.stored(encoded.places)
      return true
    } catch (error) {
      if (writes === this.#syncWrites || !isTreelogError(error, "SessionExistsError")) throw error
      return false
    }
  }

  /**
   * Writes all waiting lines without promises, also while `write` waits for an answer: that one then finds them stored. Images and long
   * texts stay in the lines, since blobs are stored with promises.
   * @throws SessionBusyError, SessionChangedError, StorageError
   */
  writeSync(): void {
    if (this.#writeLineSync() || this.#isAllWritten) return
    if (this.#isStoringAnew) throw this.#cannotWriteSync("saveAs() is under way")
    if (!this.#tail && this.#artifactsFrom) throw this.#cannotWriteSync("its artifacts are to be copied")
    this.#withLeaseSync((lease, storage) => {
      const { state } = this.#content
      while (!this.isBegun || state.waiting.length > 0) {
        const encoded = this.#encode(state.waiting, this.#tail)
        const isDone = this.#tail
          ? this.#appendSync(lease, encoded, this.#tail)
          : this.#createSync(lease, storage, encoded)
        this.#syncWrites++
        if (isDone) state.stored(encoded.places)
        else if (this.#tail) this.#absorbSync(this.#tail)
        this.#written++
      }
      if (!this.#hasUnsynced || !this.#syncsEachBatch) return
      lease.syncSync()
      this.#synced = this.#written
    })
  }

  /** Whether a lease would be taken for nothing. */
  get #isAllWritten(): boolean {
    return this.isBegun && this.#content.state.waiting.length === 0 && !(this.#hasUnsynced && this.#syncsEachBatch)
  }

  /**
   * The one line of an append, behind what is stored, under a lease that is at hand: so it is with nearly every append of a session that
   * writes through. False where it is otherwise, or others have appended, and lines are left to be written.
   */
  #writeLineSync(): boolean {
    const { state } = this.#content
    const tail = this.#tail
    const line = state.waiting[0]
    if (!line || state.waiting.length > 1 || !tail?.end.terminated || !this.isBegun) return false
    if (this.#syncsEachBatch || this.#isStoringAnew) return false
    const lease = this.#lease ?? this.#resumed()
    if (!isSyncLease(lease)) return false
    try {
      const { size: offset, lines } = tail.end
      const stat = lease.appendSync(`${line.text}\n`, tail.stat)
      this.#syncWrites++
      this.#written++
      if (stat.size === offset + stat.written) {
        tail.wrote(stat, 1)
        state.stored([{ line: lines + 1, offset, length: stat.written - 1 }])
      } else this.#absorbSync(tail)
      return state.waiting.length === 0
    } catch (error) {
      if (isGrown(error) || isTreelogError(error, "LeaseLostError")) return false
      throw error
    } finally {
      if (lease !== this.#lease) lease.releaseSync()
    }
  }

  syncSync(): void {
    this.#withLeaseSync((lease) => lease.syncSync({ all: this.#syncsAll }))
    this.#synced = this.#written
  }

  /** Takes a lease where none is held, and once more where it was lost. */
  #withLeaseSync(work: (lease: SyncLease, storage: SyncSessionStorage) => void): void {
    const storage = this.#storage
    assertSyncStorage(storage, this.key, "flushSync")
    if (this.#lease && !isSyncLease(this.#lease)) throw this.#cannotWriteSync("another lease is held")
    const isHeld = this.#lease !== undefined
    let lease = this.#lease ?? this.#resumed() ?? storage.leaseSync(this.key, leaseOptions(this.#options))
    try {
      try {
        work(lease, storage)
      } catch (error) {
        if (!isTreelogError(error, "LeaseLostError")) throw error
        this.#lease = undefined
        lease = storage.leaseSync(this.key, leaseOptions(this.#options))
        if (this.#tail) this.#absorbSync(this.#tail)
        work(lease, storage)
      }
    } finally {
      if (isHeld || !this.isShared) this.#lease = lease
      else this.#releaseSync(lease)
    }
  }

  /** Reads what others appended, under the lease. */
  #absorbSync(tail: StoredTail): void {
    assertSyncStorage(this.#storage, this.key, "flushSync")
    this.#absorb(tail.readSync(this.#storage, { whole: true }))
  }

  #releaseSync(lease: SyncLease): void {
    lease.releaseSync()
    this.#released = lease
  }

  #resumed(): SyncLease | undefined {
    return this.#released?.resumeSync() ? this.#released : undefined
  }

  #cannotWriteSync(reason: string): TreelogError<"StorageError"> {
    const { key } = this
    const message = `${key} cannot be written without promises now: ${reason}.`
    return new TreelogError("StorageError", message, { key, operation: "flushSync", errno: undefined })
  }

  #appendSync(lease: SyncLease, { chunks, end }: EncodedLines, tail: StoredTail): boolean {
    try {
      const stat = lease.appendSync(joinBytes(chunks), tail.stat)
      if (stat.size !== end.size) return false
      tail.wrote(stat, end.lines - tail.end.lines)
      return true
    } catch (error) {
      if (isGrown(error)) return false
      throw error
    }
  }

  /** False where `write` had created the session, but not heard of it: its lines are read then. */
  #createSync(lease: SyncLease, storage: SyncSessionStorage, { chunks, end }: EncodedLines): boolean {
    try {
      this.#tail = new StoredTail(this.#storage, lease.key, lease.createSync(chunks, { sync: !this.#syncsLater }), end)
      return true
    } catch (error) {
      if (!isTreelogError(error, "SessionExistsError")) throw error
      const stat = storage.statSync(this.key)
      const own = this.#encode([], undefined)
      const found = stat && readAllSync(storage, this.key, Math.min(stat.size, own.end.size), stat.identity)
      if (!stat || !found || byteText(found) !== byteText(joinBytes(own.chunks))) throw error
      this.#tail = new StoredTail(this.#storage, this.key, { ...stat, size: own.end.size }, own.end)
      return false
    }
  }

  /** False where others have appended; nothing was written then. */
  async #writeInOneStep(): Promise<boolean> {
    const [storage, tail] = [this.#storage, this.#tail]
    if (!storage.leaseAndAppend || !tail) return false
    const leaseAndAppend = storage.leaseAndAppend.bind(storage)
    const append: Append = (bytes, expected) => leaseAndAppend(this.key, leaseOptions(this.#options), bytes, expected)
    const encoded = this.#encode(this.#readyLines, tail)
    if (!(await this.#append(append, encoded, tail))) return false
    this.#synced = this.#written
    return true
  }

  get #readyLines(): readonly WaitingLine[] {
    const { waiting } = this.#content.state
    const unready = waiting.findIndex(({ isReady }) => !isReady)
    return unready === -1 ? waiting : waiting.slice(0, unready)
  }

  #encode(lines: readonly WaitingLine[], tail: StoredTail | undefined): EncodedLines {
    const { header, titleSlot } = this.#content
    // The title of omp's line before the header becomes the header's, since that line is written by omp alone.
    const own = () => encodeLine(titleSlot?.title ? { ...header, title: titleSlot.title } : header)
    return encodeLines(lines, tail?.end ?? NOTHING_STORED, own)
  }

  async #create(lease: Lease, { chunks, end }: EncodedLines, artifactsFrom: string | undefined): Promise<StoredTail> {
    try {
      const stat = await lease.create(chunks, artifactsFrom === undefined ? {} : { artifactsFrom })
      return new StoredTail(this.#storage, lease.key, stat, end)
    } catch (error) {
      if (lease.key === this.key && isTreelogError(error, "StorageError")) this.#createFailed = true
      throw error
    }
  }

  /**
   * Whether a create that failed had stored the session, since only its answer was lost: what is stored begins with our header, which
   * has our id and time. Then continues after the header, and reads which of our lines are stored.
   */
  async #wasCreated(): Promise<boolean> {
    if (!this.#createFailed) return false
    const stat = await this.#storage.stat(this.key)
    if (!stat) return false
    const { chunks, end } = this.#encode([], undefined)
    const found = await this.#storage.readRange(this.key, 0, end.size, stat.identity)
    if (byteText(found) !== byteText(joinBytes(chunks))) return false
    if (this.#tail) return true
    this.#tail = new StoredTail(this.#storage, this.key, { ...stat, size: end.size }, end)
    await this.read({ whole: true })
    return true
  }

  /** False where others have appended since that was last read, or did in the same moment. */
  async #append(append: Append, { chunks, places, end }: EncodedLines, tail: StoredTail): Promise<boolean> {
    const writes = this.#syncWrites
    try {
      const stat = await append(joinBytes(chunks), tail.stat)
      if (stat.size !== end.size || writes !== this.#syncWrites) return false
      tail.wrote(stat, end.lines - tail.end.lines)
      // In the same step: in between, a synchronous write would see lines that wait, and are stored.
      this.#content.state.stored(places)
      return true
    } catch (error) {
      if (isGrown(error)) return false
      throw error
    }
  }

  /** Syncs what was written. */
  sync(): Promise<void> {
    return this.withLease((lease) => this.#sync(lease))
  }

  async #sync(lease: Lease): Promise<void> {
    // What is written while this waits is not synced by it.
    const written = this.#written
    await lease.sync({ all: this.#syncsAll })
    this.#synced = Math.max(this.#synced, written)
  }

  /** A shared session that writes through gives its lease back after each append, and syncs by a later one. */
  get #syncsAll(): boolean {
    return this.isShared && this.#options.durability === "write-through"
  }

  /** Stores the whole session under a key, and continues there. Where that fails, nothing has changed. @param lines of all entries */
  async storeAnew(key: string, lines: readonly WaitingLine[]): Promise<void> {
    this.#isStoringAnew = true
    try {
      await this.#storeAnew(key, lines)
    } finally {
      this.#isStoringAnew = false
    }
  }

  async #storeAnew(key: string, lines: readonly WaitingLine[]): Promise<void> {
    const isHere = key === this.key
    // The lease of what is no longer there would exclude the new one.
    if (isHere) await this.release()
    const lease = await this.#storage.lease(key, leaseOptions(this.#options))
    let tail: StoredTail | undefined
    try {
      const encoded = this.#encode(lines, undefined)
      tail = await this.#create(lease, encoded, isHere ? undefined : this.#tail ? this.key : this.#artifactsFrom)
      if (this.#options.durability !== "none") await lease.sync()
      const left = this.isShared ? [this.#lease, lease] : [this.#lease]
      this.#lease = this.isShared ? undefined : lease
      this.#key = key
      this.#tail = tail
      this.#synced = this.#written
      this.#content.state.stored(encoded.places, 0)
      // The session is stored by now. A lease whose release fails excludes nobody (`Lease.release`).
      await Promise.allSettled(left.map((one) => one?.release()))
    } catch (error) {
      await Promise.allSettled([tail && lease.remove()])
      await Promise.allSettled([lease.release()])
      throw error
    }
  }
}

/** Others have appended; nothing was written. */
function isGrown(error: unknown): boolean {
  return isTreelogError(error, "SessionChangedError") && error.data.change === "grown"
}
