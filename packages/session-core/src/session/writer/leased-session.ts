import { isTreelogError } from "../../errors.js"
import { encodeLine, encodeText } from "../../log/format-line.js"
import { joinBytes } from "../../log/join-bytes.js"
import type { Line, Place } from "../../log/line.js"
import type { Lease, SessionStorage } from "../../ports/session-storage.js"
import { StoredTail } from "../reader/stored-tail.js"
import type { SessionContent } from "../session-content.js"
import type { WritingOptions } from "../session-options.js"
import type { AppendedEntries } from "./appended-entries.js"
import type { Batch } from "./line-queue.js"

/** What is stored of a session already, and the lease that was taken to read it; neither for a new session. */
export interface StoredStart {
  readonly tail?: StoredTail | undefined
  readonly lease?: Lease | undefined
  /** Whose artifacts a new session gets. */
  readonly artifactsFrom?: string | undefined
}

/**
 * The stored side of a session that is written: its key, its lease, and where it ends. An exclusive session keeps its lease from the
 * first write on; a shared one holds it for as long as a batch takes. What others appended is always read before a batch is.
 */
export class LeasedSession {
  #key: string
  readonly #storage: SessionStorage
  readonly #options: Required<WritingOptions>
  readonly #content: SessionContent
  readonly #appended: AppendedEntries
  readonly #artifactsFrom: string | undefined
  #tail: StoredTail | undefined
  #lease: Lease | undefined
  #hasUnsynced = false

  constructor(
    storage: SessionStorage,
    key: string,
    options: Required<WritingOptions>,
    content: SessionContent,
    appended: AppendedEntries,
    { tail, lease, artifactsFrom }: StoredStart,
  ) {
    this.#storage = storage
    this.#key = key
    this.#options = options
    this.#content = content
    this.#appended = appended
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

  get #isShared(): boolean {
    return this.#options.access === "shared"
  }

  /** A shared session gives its lease back after each batch, and a later lease could not sync what this one wrote. */
  get #syncsEachBatch(): boolean {
    const { durability } = this.#options
    return durability === "always" || (this.#isShared && durability === "flush")
  }

  async withLease<T>(work: (lease: Lease) => Promise<T>): Promise<T> {
    this.#lease ??= await this.#take(this.key)
    try {
      return await work(this.#lease)
    } finally {
      const mustStillSync = this.#hasUnsynced && this.#syncsEachBatch
      if (this.#isShared && !mustStillSync) await this.release()
    }
  }

  #take(key: string): Promise<Lease> {
    const { access, busyTimeoutMs } = this.#options
    return this.#storage.lease(key, { access, waitMs: this.#isShared ? busyTimeoutMs : 0 })
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

  /** Stores a batch: where nothing is stored yet, with the header and the artifacts. */
  async write(lease: Lease, batch: Batch): Promise<void> {
    if (this.#tail) await this.#append(lease, this.#tail, batch)
    else {
      const { tail, places } = await this.#create(lease, batch, this.#artifactsFrom)
      this.#tail = tail
      this.#place(batch, places)
    }
    this.#hasUnsynced = true
  }

  /** Syncs a batch that was just written, where each is synced. */
  async syncBatch(lease: Lease): Promise<void> {
    if (!this.#syncsEachBatch) return
    await lease.sync()
    this.#hasUnsynced = false
  }

  async sync(): Promise<void> {
    await this.#lease?.sync()
    this.#hasUnsynced = false
    if (this.#isShared) await this.release()
  }

  /**
   * Stores the whole session under a key, and continues there. Where that fails, nothing has changed.
   * @param everything all entries, called when the lease is held
   */
  async storeAnew(key: string, everything: () => Promise<Batch>): Promise<void> {
    const isHere = key === this.key
    // The lease of what is no longer there would exclude the new one.
    if (isHere) await this.release()
    const lease = await this.#take(key)
    let isCreated = false
    try {
      const artifactsFrom = isHere ? undefined : this.#tail ? this.key : this.#artifactsFrom
      const { tail, places } = await this.#create(lease, await everything(), artifactsFrom)
      isCreated = true
      if (this.#options.durability !== "none") await lease.sync()
      const left = this.#isShared ? [this.#lease, lease] : [this.#lease]
      this.#lease = this.#isShared ? undefined : lease
      this.#key = key
      this.#tail = tail
      this.#hasUnsynced = false
      this.#content.state.storedAnew(places)
      // The session is stored by now. A lease whose release fails excludes nobody (`Lease.release`).
      await Promise.allSettled(left.map((one) => one?.release()))
    } catch (error) {
      await Promise.allSettled([isCreated && lease.remove()])
      await Promise.allSettled([lease.release()])
      throw error
    }
  }

  async #create(
    lease: Lease,
    batch: Batch,
    artifactsFrom: string | undefined,
  ): Promise<{ readonly tail: StoredTail; readonly places: readonly Place[] }> {
    const header = encodeLine(this.#header())
    const options = artifactsFrom === undefined ? {} : { artifactsFrom }
    const stat = await lease.create([header, ...batch.lines.pieces], options)
    const end = { size: stat.size, lines: batch.entries.length + 1, terminated: true }
    const places = placesOf(batch, { offset: header.length, line: 2 })
    return { tail: new StoredTail(this.#storage, lease.key, stat, end), places }
  }

  /** The title of omp's line before the header becomes the header's, since that line is written by omp alone. */
  #header(): object {
    const { header, titleSlot } = this.#content
    return titleSlot?.title ? { ...header, title: titleSlot.title } : header
  }

  async #append(lease: Lease, tail: StoredTail, whole: Batch): Promise<void> {
    for (;;) {
      const batch = this.#withoutStored(whole)
      if (batch.entries.length === 0 && whole.entries.length > 0) return
      const { size, lines: before, terminated } = tail.end
      const opening = size === 0 ? encodeLine(this.#header()) : encodeText(terminated ? "" : "\n")
      try {
        const bytes = joinBytes(opening.length > 0 ? [opening, ...batch.lines.pieces] : batch.lines.pieces)
        const stat = await lease.append(bytes, tail.stat)
        if (stat.size === size + bytes.length) {
          const headerLines = size === 0 ? 1 : 0
          tail.wrote(stat, batch.entries.length + headerLines)
          this.#place(batch, placesOf(batch, { offset: size + opening.length, line: before + headerLines + 1 }))
        } else {
          // A writer without a lease appended at the same moment: the lines themselves show which are whose.
          await this.read({ whole: true })
        }
        return
      } catch (error) {
        if (!isTreelogError(error, "SessionChangedError") || error.data.change !== "grown") throw error
        await this.read({ whole: true })
      }
    }
  }

  /** What is stored of a batch already, by an append after which reading failed, is its beginning. */
  #withoutStored(batch: Batch): Batch {
    const { entries, lines } = batch
    const found = entries.findIndex((entry) => !this.#content.state.isPlaced(entry))
    const first = found === -1 ? entries.length : found
    if (first === 0) return batch
    const offset = lines.lengths.slice(0, first).reduce((sum, length) => sum + length, 0)
    const pieces = [joinBytes(lines.pieces).subarray(offset)]
    return { entries: entries.slice(first), lines: { pieces, lengths: lines.lengths.slice(first) } }
  }

  #place({ entries }: Batch, places: readonly Place[]): void {
    entries.forEach((entry, index) => {
      this.#content.state.placed(entry, { place: places[index] as Place, verbatim: true })
    })
  }

  /** Own entries keep the parents that they were made on; the leaf stays. */
  #absorb(lines: readonly Line[]): void {
    const added = this.#appended.absorb(lines)
    const first = lines[0]
    if (this.#isShared || !first || added.length === 0) return
    const message = `Another program appended ${added.length} entries from line ${first.number} on, without a lease; they were read in.`
    this.#content.state.report({ kind: "foreign-append", line: first.number, offset: first.offset, message })
  }
}

function placesOf({ lines: { lengths } }: Batch, first: { readonly offset: number; readonly line: number }): Place[] {
  let { offset, line } = first
  return lengths.map((length) => {
    const place = { line, offset, length: length - 1 }
    offset += length
    line += 1
    return place
  })
}
