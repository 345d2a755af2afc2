import { setImmediate } from "node:timers/promises"
import { type StoredRanges, sessionChanged } from "@treelog/session-core/adapter"
import { FileRanges, type FsPort, isGone, toStorageError } from "@treelog-internal/fs"

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
    const { path } = this
    return new FileRanges(this.#fs, path, {
      // It was removed to make room, or because the session has grown: whoever reads it stats the session again.
      toError: (error) => (isGone(error) ? sessionChanged(key, "replaced") : toStorageError(error, path, "read")),
    })
  }
}
