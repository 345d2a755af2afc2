import { setImmediate } from "node:timers/promises"
import type { StoredRanges } from "@treelog/session-core/adapter"
import {
  type FsPort,
  isGone,
  readWholeSync,
  type SyncFile,
  sessionChanged,
  toStorageError,
  uninterruptedSync,
} from "@treelog-internal/fs"

/** The bytes of a converted session. They never change. */
export interface Content {
  /** Bytes. */
  readonly size: number
  /** Ranges that stay readable until they are closed, whatever becomes of the cache. @throws StorageError, SessionChangedError */
  open(key: string): StoredRanges
}

export class MemoryContent implements Content {
  readonly #bytes: Uint8Array

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes
  }

  get size(): number {
    return this.#bytes.length
  }

  open(): StoredRanges {
    return {
      read: (offset, length) => this.#bytes.subarray(offset, offset + length),
      pause: () => setImmediate(),
      close: () => {},
    }
  }
}

/** A file of the cache. */
export class FileContent implements Content {
  readonly size: number
  readonly path: string
  readonly #fs: FsPort

  constructor(fs: FsPort, path: string, size: number) {
    this.#fs = fs
    this.path = path
    this.size = size
  }

  open(key: string): StoredRanges {
    return new ContentRanges(this.#fs, this.path, key)
  }
}

/** Files of ranges that nobody holds any more are closed. */
const forgotten = new FinalizationRegistry<SyncFile>((file) => file.closeSync())

class ContentRanges implements StoredRanges {
  readonly #fs: FsPort
  readonly #path: string
  readonly #key: string
  #file: SyncFile | undefined

  constructor(fs: FsPort, path: string, key: string) {
    this.#fs = fs
    this.#path = path
    this.#key = key
    this.#file = this.#open()
  }

  read(offset: number, length: number, into?: Uint8Array): Uint8Array {
    this.#file ??= this.#open()
    const file = this.#file
    const fits = into !== undefined && into.length >= length
    const bytes = fits ? Buffer.from(into.buffer, into.byteOffset, length) : Buffer.allocUnsafeSlow(length)
    const done = this.#withErrors(() => readWholeSync(file, bytes, offset))
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
    const file = this.#withErrors(() => this.#fs.openSync(this.#path))
    forgotten.register(this, file, this)
    return file
  }

  #withErrors<Result>(work: () => Result): Result {
    try {
      return uninterruptedSync(work)
    } catch (error) {
      // It was removed to make room, or because the session has grown: whoever reads it stats the session again.
      if (isGone(error)) throw sessionChanged(this.#key, "replaced")
      throw toStorageError(error, this.#path, "read")
    }
  }
}
