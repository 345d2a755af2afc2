import { TreelogError } from "../../errors.js"
import { joinBytes } from "../../log/bytes.js"
import type { StorageStat } from "../../ports/session-source.js"
import type { Lease, SessionStorage } from "../../ports/session-storage.js"
import { storedChunks } from "../../session/reader/read-stored.js"
import type { BlobCopier } from "./blob-copier.js"
import { ContentHash } from "./content-hash.js"

const LF = 0x0a
/** So much is appended at a time. Bytes. */
const PIECE = 1024 * 1024

export interface PieceOptions {
  readonly to: SessionStorage
  readonly key: string
  /** Undefined writes nothing, and only counts. */
  readonly lease: Lease | undefined
  readonly blobs: BlobCopier
  /** The bytes before the first piece, in which a reference to a blob may have begun. */
  readonly before?: Uint8Array
  /** Called with the number of bytes that were stored or verified; may throw, to stop. */
  readonly onProgress: (bytes: number) => void
}

/** Stores bytes, each piece behind the blobs that it refers to, and reads back what was stored. */
export class PieceWriter {
  /** Bytes. */
  written = 0
  /** How many lines were ended. */
  lines = 0
  readonly #options: PieceOptions
  readonly #copyBlobs: (chunk: Uint8Array) => Promise<void>
  readonly #hash = new ContentHash()
  #waiting: Uint8Array[] = []
  #length = 0

  constructor(options: PieceOptions) {
    this.#options = options
    this.#copyBlobs = options.blobs.inChunks(options.before)
  }

  /** Stores a new session. */
  async create(chunks: AsyncIterable<Uint8Array>): Promise<void> {
    const { lease } = this.#options
    if (!lease) {
      for await (const _ of this.#prepared(chunks));
      return
    }
    const stat = await lease.create(this.#prepared(chunks))
    await lease.sync()
    await this.#verify(0, stat.size)
  }

  /** Appends to a stored session. @throws SessionChangedError when another program appends too */
  async append(chunks: AsyncIterable<Uint8Array>, stored: StorageStat): Promise<void> {
    let stat = stored
    for await (const chunk of this.#prepared(chunks)) {
      this.#waiting.push(new Uint8Array(chunk))
      this.#length += chunk.length
      if (this.#length >= PIECE) stat = await this.#flush(stat)
    }
    stat = await this.#flush(stat)
    if (!this.#options.lease || this.written === 0) return
    await this.#options.lease.sync()
    await this.#verify(stored.size, stat.size)
  }

  async #flush(stat: StorageStat): Promise<StorageStat> {
    const { lease } = this.#options
    const bytes = joinBytes(this.#waiting)
    this.#waiting = []
    this.#length = 0
    if (!lease || bytes.length === 0) return stat
    const next = await lease.append(bytes, stat)
    if (next.size === stat.size + bytes.length) return next
    const message = `Another program appended to ${lease.key} while it was written. Compare it with its source.`
    throw new TreelogError("SessionChangedError", message, { key: lease.key, change: "grown" })
  }

  async *#prepared(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    const { lease, onProgress } = this.#options
    for await (const chunk of chunks) {
      onProgress(chunk.length)
      if (lease) await this.#copyBlobs(chunk)
      this.#hash.addBytes(chunk)
      this.written += chunk.length
      for (let at = chunk.indexOf(LF); at !== -1; at = chunk.indexOf(LF, at + 1)) this.lines += 1
      yield chunk
    }
  }

  /** @throws StorageError when other bytes were stored */
  async #verify(from: number, to: number): Promise<void> {
    const { to: storage, key, onProgress } = this.#options
    const identity = (await storage.stat(key))?.identity
    const hash = new ContentHash()
    if (identity !== undefined && to - from === this.written)
      for await (const chunk of storedChunks(storage, key, { from, to, identity })) {
        hash.addBytes(chunk)
        onProgress(chunk.length)
      }
    if (to - from === this.written && hash.toString() === this.#hash.toString()) return
    const message = `What was stored at ${key} is not what was copied. Remove it, and copy the session again.`
    throw new TreelogError("StorageError", message, { key, operation: "verify", errno: undefined })
  }
}
