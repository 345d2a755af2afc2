import { isTreelogError } from "../../errors.js"
import { joinBytes, startsWithAt } from "../../log/ascii-bytes.js"
import { encodeLine } from "../../log/format-line.js"
import type { Line } from "../../log/line.js"
import type { Lease, SessionStorage, StorageStat } from "../../ports/session-storage.js"
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
  #tail: StoredTail | undefined
  #lease: Lease | undefined
  #hasUnsynced = false
  /** A create of this session failed, and may have stored it all the same. */
  #createFailed = false

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

  get mustSync(): boolean {
    return this.#hasUnsynced && this.#options.durability !== "none"
  }

  get isShared(): boolean {
    return this.#options.access === "shared"
  }

  /** A shared session gives its lease back after each batch, and a later lease could not sync what this one wrote. */
  get #syncsEachBatch(): boolean {
    const { durability } = this.#options
    return durability === "always" || (this.isShared && durability === "flush")
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
    this.#lease ??= await this.#storage.lease(this.key, leaseOptions(this.#options))
    try {
      return await work(this.#lease)
    } finally {
      const mustStillSync = this.#hasUnsynced && this.#syncsEachBatch
      if (this.isShared && !mustStillSync) await this.release()
    }
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
      this.#hasUnsynced = true
      return stat
    }
    while (!this.isBegun || state.waiting[0]?.isReady) {
      if (!this.#tail && (await this.#wasCreated())) continue
      const encoded = this.#encode(this.#readyLines, this.#tail)
      if (!this.#tail) this.#tail = await this.#create(lease, encoded, this.#artifactsFrom)
      else if (!(await this.#append(append, encoded, this.#tail))) {
        await this.read({ whole: true })
        continue
      }
      state.stored(encoded.places)
    }
    this.#hasUnsynced = true
    if (this.#syncsEachBatch) await this.#sync(lease)
  }

  /** False where others have appended; nothing was written then. */
  async #writeInOneStep(): Promise<boolean> {
    const { state } = this.#content
    const [storage, tail] = [this.#storage, this.#tail]
    if (!storage.leaseAndAppend || !tail) return false
    const leaseAndAppend = storage.leaseAndAppend.bind(storage)
    const append: Append = (bytes, expected) => leaseAndAppend(this.key, leaseOptions(this.#options), bytes, expected)
    const encoded = this.#encode(this.#readyLines, tail)
    if (!(await this.#append(append, encoded, tail))) return false
    state.stored(encoded.places)
    this.#hasUnsynced = false
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
    if (!startsWithAt(found, 0, joinBytes(chunks))) return false
    this.#tail = new StoredTail(this.#storage, this.key, { ...stat, size: end.size }, end)
    await this.read({ whole: true })
    return true
  }

  /** False where others have appended since that was last read, or did in the same moment. */
  async #append(append: Append, { chunks, end }: EncodedLines, tail: StoredTail): Promise<boolean> {
    try {
      const stat = await append(joinBytes(chunks), tail.stat)
      if (stat.size !== end.size) return false
      tail.wrote(stat, end.lines - tail.end.lines)
      return true
    } catch (error) {
      if (isTreelogError(error, "SessionChangedError") && error.data.change === "grown") return false
      throw error
    }
  }

  /** Syncs what was written. */
  sync(): Promise<void> {
    return this.withLease((lease) => this.#sync(lease))
  }

  async #sync(lease: Lease): Promise<void> {
    await lease.sync()
    this.#hasUnsynced = false
  }

  /** Stores the whole session under a key, and continues there. Where that fails, nothing has changed. @param lines of all entries */
  async storeAnew(key: string, lines: readonly WaitingLine[]): Promise<void> {
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
      this.#hasUnsynced = false
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
