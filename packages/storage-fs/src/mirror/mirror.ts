import { setImmediate } from "node:timers/promises"
import { type Chunks, type StoredRanges, Turns } from "@treelog/session-core/adapter"
import { isStorageFault, storageError, toStorageError } from "@treelog-internal/fs"
import { MemoryTail } from "./memory-tail.js"
import type { MirroredObject, MirrorFolder } from "./mirror-folder.js"
import { openVerified, SegmentFile } from "./segment-file.js"
import { writeSegment } from "./write-segment.js"

/** Less is not worth a file. Bytes. */
export const SMALLEST = 64 * 1024
/** A download is cut into files of this size, so that little is lost when it is interrupted. Bytes. */
const LARGEST = 64 * 1024 * 1024
/** Fetched and copied at once. Bytes. */
const BLOCK = 4 * 1024 * 1024

/** Reads bytes of the remote object; fewer only where it ends. */
type RemoteRead = (offset: number, length: number) => Promise<Uint8Array>

/**
 * The first bytes of one object: in files that were verified, and the last of them in memory until they are worth a file. If files
 * cannot be read or written, the bytes that synchronous reads need stay in memory instead.
 */
export class Mirror {
  object: MirroredObject
  readonly #folder: MirrorFolder
  readonly #onError: (error: unknown) => void
  /** For what awaits the folder. */
  readonly #turns = new Turns()
  readonly #tail = new MemoryTail()
  #files: readonly SegmentFile[] = []
  #users = 0
  #isLoaded = false
  #isOpen = false
  #isDropped = false
  /** Whether there were synchronous reads, which may come back. */
  #isNeeded = false
  /** The size of the tail that is written to a file. */
  #publishAt = SMALLEST

  /** @param onError gets faults of the folder */
  constructor(folder: MirrorFolder, object: MirroredObject, onError: (error: unknown) => void) {
    this.#folder = folder
    this.object = object
    this.#onError = onError
  }

  /** How many bytes it has. */
  get end(): number {
    return this.#filesEnd + this.#tail.size
  }

  get isLoaded(): boolean {
    return this.#isLoaded
  }

  /** Reads what the folder has, and keeps it open until `leave`. */
  async use(): Promise<void> {
    this.#users += 1
    await this.#turns.run(async () => {
      if (this.#isOpen) return
      const isKnown = this.#isLoaded && !this.#isDropped
      const isCurrent = isKnown && (await this.#try(async () => this.#files.every((file) => file.reopen())))
      if (!isCurrent) await this.#load()
      this.#isLoaded = true
      this.#isOpen = true
    })
  }

  leave(): void {
    this.#users -= 1
    if (this.#users === 0) void this.#turns.run(() => this.#publish())
  }

  /** Synchronous reads. Their `close` is a `leave`. */
  ranges(): StoredRanges {
    this.#isNeeded = true
    let isOpen = true
    return {
      read: (offset, length, into) => this.read(offset, length, into),
      pause: () => setImmediate(),
      close: () => {
        if (isOpen) this.leave()
        isOpen = false
      },
    }
  }

  /** Adds bytes of the object while it is in use, if they follow what it has. */
  add(offset: number, bytes: Uint8Array): void {
    const { end } = this
    if (this.#users === 0 || offset > end || offset + bytes.length <= end) return
    this.#tail.add(bytes.slice(end - offset))
    if (this.#tail.size < this.#publishAt) return
    this.#publishAt = Number.POSITIVE_INFINITY
    void this.#turns.run(() => this.#publish())
  }

  /** Fetches what it lacks of the first `size` bytes. */
  fill(size: number, readRemote: RemoteRead): Promise<void> {
    return this.#turns.run(async () => {
      if (size - this.end >= SMALLEST) await this.#publish()
      for (let isWritable = !this.#isDropped; this.end < size; ) {
        const missing = size - this.end
        isWritable &&= missing >= SMALLEST && this.#tail.size === 0
        isWritable &&= await this.#download(Math.min(missing, LARGEST), readRemote)
        if (isWritable) continue
        const bytes = await readRemote(this.end, Math.min(size - this.end, BLOCK))
        if (bytes.length === 0) return
        this.add(this.end, bytes)
      }
    })
  }

  /**
   * Reads `length` bytes from `offset`; fewer where it ends.
   * @throws StorageError
   */
  read(offset: number, length: number, into?: Uint8Array): Uint8Array {
    const size = Math.max(0, Math.min(length, this.end - offset))
    const bytes = into && into.length >= size ? into.subarray(0, size) : Buffer.allocUnsafeSlow(size)
    for (const file of this.#files) {
      const [start, end] = [Math.max(offset, file.from), Math.min(offset + size, file.segment.end)]
      if (start < end) file.readInto(bytes.subarray(start - offset, end - offset), start)
    }
    this.#tail.readInto(bytes, offset - this.#filesEnd)
    return bytes
  }

  /** Removes the files of the key. Who uses it still has their bytes; what follows stays in memory. */
  async drop(): Promise<void> {
    this.#isDropped = true
    await this.#turns.run(() => this.#try(() => this.#folder.drop(this.object.key)))
  }

  /** Resolves when what has begun is done. */
  settled(): Promise<void> {
    return this.#turns.run(async () => {})
  }

  get #filesEnd(): number {
    return this.#files.at(-1)?.segment.end ?? 0
  }

  async #load(): Promise<void> {
    const before = this.#filesEnd
    await this.#close(this.#files)
    this.#files = []
    this.#isDropped = false
    await this.#try(async () => {
      this.#files = await openVerified(this.#folder, this.object)
    })
    if (this.#filesEnd !== before) this.#forgetTail()
  }

  /** Writes a file of the next bytes as they come. False where that is not possible, or the remote object has no more. */
  async #download(length: number, readRemote: RemoteRead): Promise<boolean> {
    const start = this.end
    let failure: { readonly error: unknown } | undefined
    async function* chunks(): AsyncGenerator<Uint8Array> {
      try {
        for (let at = start; at < start + length; ) {
          const bytes = await readRemote(at, Math.min(BLOCK, start + length - at))
          if (bytes.length === 0) return
          yield bytes
          at += bytes.length
        }
      } catch (error) {
        failure = { error }
      }
    }
    const isWritten = await this.#write(start, length, chunks())
    // What came before it stays.
    if (failure) throw failure.error
    return isWritten
  }

  /**
   * Moves what is in memory to a file, together with the last files while they are not twice as long as what follows them: so there
   * are never many.
   */
  async #publish(): Promise<void> {
    const { pieces, size } = this.#tail
    if (size > 0 && !this.#isDropped) {
      const merged: SegmentFile[] = []
      let length = size
      for (const file of [...this.#files].reverse()) {
        if (file.length >= 2 * length || file.length + length > LARGEST) break
        merged.unshift(file)
        length += file.length
      }
      const start = this.#filesEnd + size - length
      const isWritten = await this.#write(start, length, joined(merged, pieces), { merged, pieces: pieces.length })
      if (!isWritten && !this.#isNeeded) this.#forgetTail()
    }
    // What could not be written is tried again when it is twice as much.
    this.#publishAt = Math.max(SMALLEST, 2 * this.#tail.size)
    if (this.#users > 0) return
    this.#isOpen = false
    await this.#close(this.#files)
  }

  /** Adds a file, in the place of what is in it already. False where that is not possible, or there are no bytes. */
  async #write(
    start: number,
    length: number,
    chunks: Chunks,
    replaced: { readonly merged: readonly SegmentFile[]; readonly pieces: number } = { merged: [], pieces: 0 },
  ): Promise<boolean> {
    const { merged, pieces } = replaced
    const isWritten = await this.#try(async () => {
      const segment = await writeSegment(this.#folder, this.object, { start, length, chunks })
      if (!segment) return false
      const file = await SegmentFile.open(this.#folder, this.object, segment, start)
      if (!file) {
        // Another process may have dropped the mirror.
        if (!this.#folder.has(this.object.key, segment)) return false
        throw storageError(this.#folder.pathOf(this.object.key, segment), "read")
      }
      this.#files = [...this.#files.slice(0, this.#files.length - merged.length), file]
      this.#tail.remove(pieces)
      return true
    })
    if (!isWritten) return false
    await this.#close(merged)
    const segments = merged.map(({ segment }) => segment)
    await this.#try(() => this.#folder.remove(this.object.key, segments))
    return true
  }

  #forgetTail(): void {
    this.#tail.remove(this.#tail.pieces.length)
  }

  async #close(files: readonly SegmentFile[]): Promise<void> {
    for (const file of files) await this.#try(async () => file.close())
  }

  /** Whether it worked, and did not resolve to false. What goes wrong with the folder is reported, and fails no caller. */
  async #try(work: () => Promise<unknown>): Promise<boolean> {
    try {
      return (await work()) !== false
    } catch (error) {
      if (!isStorageFault(error)) throw error
      this.#onError(toStorageError(error, this.#folder.folderOf(this.object.key), "mirror a session in"))
      return false
    }
  }
}

async function* joined(files: readonly SegmentFile[], pieces: readonly Uint8Array[]): AsyncGenerator<Uint8Array> {
  for (const file of files)
    for (let at = file.from; at < file.segment.end; at += BLOCK) {
      const block = new Uint8Array(Math.min(BLOCK, file.segment.end - at))
      file.readInto(block, at)
      yield block
    }
  yield* pieces
}
