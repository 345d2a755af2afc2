import { setImmediate } from "node:timers/promises"
import type { StoredRanges } from "@treelog/session-core/adapter"
import type { FileStat, FsPort, SyncFile } from "./fs-port.js"
import { readWholeSync, uninterruptedSync } from "./whole-io.js"

/** Files of ranges that were garbage-collected are closed; closing a session closes them earlier. */
const forgotten = new FinalizationRegistry<SyncFile>((file) => file.closeSync())

export interface FileRangesOptions {
  /** What a failed open or read is thrown as. */
  readonly toError: (error: unknown) => unknown
  /** Throws where a file that was opened is not the one that is meant. */
  readonly check?: (stat: FileStat) => void
}

/**
 * Reads ranges of one file without promises. The file stays open, so that what was opened is what is read, also after the name
 * was given to another file. After `close`, the next read opens it again.
 */
export class FileRanges implements StoredRanges {
  readonly #fs: FsPort
  readonly #path: string
  readonly #options: FileRangesOptions
  #file: SyncFile | undefined

  constructor(fs: FsPort, path: string, options: FileRangesOptions) {
    this.#fs = fs
    this.#path = path
    this.#options = options
    this.#file = this.#open()
  }

  /** Opens the file again after a `close`, before a read does. */
  reopen(): void {
    this.#file ??= this.#open()
  }

  read(offset: number, length: number, into?: Uint8Array): Uint8Array {
    this.#file ??= this.#open()
    const file = this.#file
    const bytes = bufferFor(length, into)
    const done = this.#uninterrupted(() => readWholeSync(file, bytes, offset))
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
    const file = this.#uninterrupted(() => this.#fs.openSync(this.#path))
    const { check } = this.#options
    try {
      if (check) check(this.#uninterrupted(() => file.statSync({ bigint: true })))
    } catch (error) {
      file.closeSync()
      throw error
    }
    forgotten.register(this, file, this)
    return file
  }

  #uninterrupted<Result>(work: () => Result): Result {
    try {
      return uninterruptedSync(work)
    } catch (error) {
      throw this.#options.toError(error)
    }
  }
}

/** A Buffer is searched faster than another array of bytes. Each byte of it is written or cut off: none need be zero before. */
export function bufferFor(length: number, into: Uint8Array | undefined): Buffer {
  const fits = into !== undefined && into.length >= length
  return fits ? Buffer.from(into.buffer, into.byteOffset, length) : Buffer.allocUnsafeSlow(length)
}
