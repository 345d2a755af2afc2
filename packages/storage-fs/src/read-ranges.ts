import { setImmediate } from "node:timers/promises"
import type { StoredRanges } from "@treelog/session-core/adapter"
import {
  type FsPort,
  identityOf,
  isErrno,
  notAFile,
  type OpenFile,
  READ_AT_ONCE,
  readWhole,
  readWholeSync,
  type SyncFile,
  sessionChanged,
  sessionNotFound,
  storedStat,
  toStorageError,
  uninterruptedSync,
} from "@treelog-internal/fs"

/** Reads a range of one file; what was opened is what is read, whatever happens to the name meanwhile. */
export async function readRange(
  fs: FsPort,
  key: string,
  offset: number,
  length: number,
  identity?: string,
  into?: Uint8Array,
): Promise<Uint8Array> {
  const file = await opened(fs, key, identity)
  try {
    const stat = await file.stat({ bigint: true })
    if (!stat.isFile()) throw notAFile(key, stat.isDirectory())
    const stored = storedStat(stat)
    if (identity !== undefined && stored.identity !== identity) throw sessionChanged(key, "replaced")
    const bytes = roomFor(Math.max(0, Math.min(length, stored.size - offset)), into)
    const read = await readWhole(file, bytes, offset)
    return read === bytes.length ? bytes : bytes.subarray(0, read)
  } finally {
    await file.close()
  }
}

async function opened(fs: FsPort, key: string, identity: string | undefined): Promise<OpenFile> {
  try {
    return await fs.open(key, READ_AT_ONCE)
  } catch (error) {
    if (!isErrno(error, "ENOENT", "ENOTDIR")) throw error
    throw identity === undefined ? sessionNotFound(key) : sessionChanged(key, "gone")
  }
}

/** Files of ranges that nobody holds any more are closed; whoever is done with a session closes it earlier. */
const forgotten = new FinalizationRegistry<SyncFile>((file) => file.closeSync())

/**
 * Reads ranges of one file without promises. The file stays open, so that what was opened is what is read, also after the name
 * was given to another file.
 */
export class FileRanges implements StoredRanges {
  readonly #fs: FsPort
  readonly #key: string
  readonly #identity: string
  #file: SyncFile | undefined

  /** @throws SessionChangedError, StorageError */
  constructor(fs: FsPort, key: string, identity: string) {
    this.#fs = fs
    this.#key = key
    this.#identity = identity
    this.#file = this.#open()
  }

  read(offset: number, length: number, into?: Uint8Array): Uint8Array {
    this.#file ??= this.#open()
    const file = this.#file
    const bytes = roomFor(length, into)
    const done = this.#withStorageErrors(() => readWholeSync(file, bytes, offset))
    return done === length ? bytes : bytes.subarray(0, done)
  }

  pause(): Promise<void> {
    return setImmediate()
  }

  close(): void {
    forgotten.unregister(this)
    this.#file?.closeSync()
    this.#file = undefined
  }

  #open(): SyncFile {
    const file = this.#withStorageErrors(() => this.#fs.openSync(this.#key))
    try {
      const stat = this.#withStorageErrors(() => file.statSync({ bigint: true }))
      if (identityOf(stat) !== this.#identity) throw sessionChanged(this.#key, "replaced")
    } catch (error) {
      file.closeSync()
      throw error
    }
    forgotten.register(this, file, this)
    return file
  }

  #withStorageErrors<T>(work: () => T): T {
    try {
      return uninterruptedSync(work)
    } catch (error) {
      if (isErrno(error, "ENOENT", "ENOTDIR")) throw sessionChanged(this.#key, "gone")
      throw toStorageError(error, this.#key, "read")
    }
  }
}

/** A Buffer is searched faster than another array of bytes. Each byte of it is written or cut off: none need be zero before. */
function roomFor(length: number, into: Uint8Array | undefined): Buffer {
  const fits = into !== undefined && into.length >= length
  return fits ? Buffer.from(into.buffer, into.byteOffset, length) : Buffer.allocUnsafeSlow(length)
}
