import { type Line, LineSplitter, sessionChanged } from "@treelog/session-core/adapter"
import {
  type FileStat,
  type FsPort,
  identityOf,
  isGone,
  openPlainSync,
  readWholeSync,
  type SyncFile,
  sessionNotFound,
  toStorageError,
} from "@treelog-internal/fs"
import { digestOf } from "./digest.js"

/** How much at both ends of what was read is compared where the file has grown meanwhile. Bytes. */
const COMPARED = 4096
/** Bytes that are read at once. */
const BLOCK = 256 * 1024

/** What a file was at one time. */
export interface WholeFile {
  readonly bytes: Buffer
  /** Milliseconds since 1970. */
  readonly modified: number
}

/**
 * Reads a file as it was at one time; it may have grown since.
 * @throws SessionChangedError where it was cut or rewritten while it was read; SessionNotFoundError, StorageError
 */
export function wholeFile(fs: FsPort, path: string): WholeFile {
  const file = new OpenedFile(fs, path)
  try {
    const bytes = file.read(0, file.size)
    file.check()
    return { bytes, modified: file.modified }
  } finally {
    file.close()
  }
}

/** A file as it was when it was opened, also where it has grown since. */
export class OpenedFile {
  readonly path: string
  /** Bytes. */
  readonly size: number
  /** Milliseconds since 1970. */
  readonly modified: number
  readonly #file: SyncFile
  readonly #stat: FileStat
  readonly #ends: readonly Buffer[]

  /** @throws SessionNotFoundError, StorageError */
  constructor(fs: FsPort, path: string) {
    this.path = path
    const { file, stat } = this.#withErrors(() => openPlainSync(fs, path))
    this.#file = file
    this.#stat = stat
    this.size = Number(stat.size)
    this.modified = Number(stat.mtimeNs) / 1e6
    try {
      this.#ends = this.#readEnds()
    } catch (error) {
      file.closeSync()
      throw error
    }
  }

  /** @param into memory that is large enough, to be used again @throws SessionChangedError where the file was cut; StorageError */
  read(offset: number, length: number, into?: Buffer): Buffer {
    const bytes = into?.subarray(0, length) ?? Buffer.allocUnsafeSlow(length)
    this.#fill(bytes, offset)
    return bytes
  }

  /** Each is valid until the next one is asked for. @param start of the first @throws as `read` */
  *lines(start = { line: 1, offset: 0 }): Generator<Line> {
    const splitter = new LineSplitter(start)
    for (const piece of this.pieces(BLOCK, start.offset)) yield* splitter.push(piece)
    yield* splitter.finish()
  }

  /** Its bytes, in order. Each piece is valid until the next one is asked for. @param most bytes of a piece @throws as `read` */
  *pieces(most = BLOCK, from = 0): Generator<Buffer> {
    const block = Buffer.allocUnsafeSlow(Math.min(most, this.size - from))
    for (let offset = from; offset < this.size; offset += block.length) {
      const piece = block.subarray(0, this.size - offset)
      this.#fill(piece, offset)
      yield piece
    }
  }

  /** Stays the same as long as a file with so many bytes only grows, and is not replaced by another. @throws as `read` */
  beginning(length: number): string {
    return digestOf(identityOf(this.#stat), ...this.#readEnds(length).map((end) => end.toString("latin1")))
  }

  /** @throws SessionChangedError where it was cut or rewritten since it was opened */
  check(): void {
    const statNow = () => this.#withErrors(() => this.#file.statSync({ bigint: true }))
    const { size, mtimeNs } = statNow()
    const before = this.#stat
    if (size < before.size) throw sessionChanged(this.path, "shrunk")
    if (mtimeNs === before.mtimeNs) return
    const now = this.#readEnds()
    // An append sets the time before the size.
    const hasGrown = size > before.size || statNow().size > before.size
    if (!hasGrown || !this.#ends.every((end, at) => now[at]?.equals(end))) throw sessionChanged(this.path, "replaced")
  }

  close(): void {
    this.#file.closeSync()
  }

  #readEnds(size = this.size): Buffer[] {
    const start = Math.max(0, size - COMPARED)
    return [this.read(0, Math.min(COMPARED, size)), this.read(start, size - start)]
  }

  #fill(bytes: Uint8Array, offset: number): void {
    const length = this.#withErrors(() => readWholeSync(this.#file, bytes, offset))
    if (length < bytes.length) throw sessionChanged(this.path, "shrunk")
  }

  #withErrors<Result>(work: () => Result): Result {
    try {
      return work()
    } catch (error) {
      throw isGone(error) ? sessionNotFound(this.path) : toStorageError(error, this.path, "read")
    }
  }
}
