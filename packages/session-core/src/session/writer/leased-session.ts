import { isTreelogError } from "../../errors.js"
import { joinBytes } from "../../log/bytes.js"
import { encodeLine } from "../../log/format-line.js"
import type { Line } from "../../log/line.js"
import type { Lease, SessionStorage } from "../../ports/session-storage.js"
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

/**
 * The stored side of a session that is written: its key, its lease, and where it ends. An exclusive session keeps its lease from the
 * first write on; a shared one holds it for as long as a batch takes. What others appended is always read before a batch is written.
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

  async withLease<T>(work: (lease: Lease) => Promise<T>): Promise<T> {
    this.#lease ??= await this.#storage.lease(this.key, leaseOptions(this.#options))
    try {
      return await work(this.#lease)
    } finally {
      const mustStillSync = this.#hasUnsynced && this.#syncsEachBatch
      if (this.isShared && !mustStillSync) await this.release()
    }
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
    while (!this.isBegun || state.waiting[0]?.isReady) {
      const unready = state.waiting.findIndex(({ isReady }) => !isReady)
      const encoded = this.#encode(unready === -1 ? state.waiting : state.waiting.slice(0, unready), this.#tail)
      if (!this.#tail) this.#tail = await this.#create(lease, encoded, this.#artifactsFrom)
      else if (!(await this.#append(lease, encoded, this.#tail))) {
        await this.read({ whole: true })
        continue
      }
      state.stored(encoded.places)
    }
    this.#hasUnsynced = true
    if (this.#syncsEachBatch) await this.#sync(lease)
  }

  #encode(lines: readonly WaitingLine[], tail: StoredTail | undefined): EncodedLines {
    const { header, titleSlot } = this.#content
    // The title of omp's line before the header becomes the header's, since that line is written by omp alone.
    const own = () => encodeLine(titleSlot?.title ? { ...header, title: titleSlot.title } : header)
    return encodeLines(lines, tail?.end ?? NOTHING_STORED, own)
  }

  async #create(lease: Lease, { chunks, end }: EncodedLines, artifactsFrom: string | undefined): Promise<StoredTail> {
    const stat = await lease.create(chunks, artifactsFrom === undefined ? {} : { artifactsFrom })
    return new StoredTail(this.#storage, lease.key, stat, end)
  }

  /** False where others have appended since that was last read, or did in the same moment. */
  async #append(lease: Lease, { chunks, end }: EncodedLines, tail: StoredTail): Promise<boolean> {
    try {
      const stat = await lease.append(joinBytes(chunks), tail.stat)
      this.#hasUnsynced = true
      if (stat.size !== end.size) return false
      tail.wrote(stat, end.lines - tail.end.lines)
      return true
    } catch (error) {
      if (isTreelogError(error, "SessionChangedError") && error.data.change === "grown") return false
      throw error
    }
  }

  /** Syncs what was written. */
  async sync(): Promise<void> {
    await this.#sync(this.#lease)
    if (this.isShared) await this.release()
  }

  async #sync(lease: Lease | undefined): Promise<void> {
    await lease?.sync()
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
