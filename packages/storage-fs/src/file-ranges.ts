import { setImmediate } from "node:timers/promises"
import type { StoredRanges } from "@treelog/session-core/adapter"
import {
  type FsPort,
  isErrno,
  readWholeSync,
  type SyncFile,
  toStorageError,
  uninterruptedSync,
} from "@treelog-internal/fs"
import { sessionChanged } from "./expect-unchanged.js"
import { roomFor } from "./room-for.js"
import { identityOf } from "./stored-stat.js"

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
