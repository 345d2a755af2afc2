import { setImmediate } from "node:timers/promises"
import { type StoredRanges, sessionChanged } from "@treelog/session-core/adapter"
import { FileRanges, type FsPort, isGone, toStorageError } from "@treelog-internal/fs"

/** The bytes of a converted session. They never change. */
export interface Content {
  /** The file of the cache that has them; undefined in memory. */
  readonly path?: string
  /** Ranges that stay readable until they are closed, whatever becomes of the cache. @throws StorageError, SessionChangedError */
  open(key: string): StoredRanges
}

export function inMemory(bytes: Uint8Array): Content {
  const read = (offset: number, length: number) => bytes.subarray(offset, offset + length)
  return { open: () => ({ read, pause: () => setImmediate(), close: () => {} }) }
}

export function inFile(fs: FsPort, path: string): Content {
  return {
    path,
    open: (key) =>
      new FileRanges(fs, path, {
        // It was removed to make room, or because the session has grown: its reader stats the session again.
        toError: (error) => (isGone(error) ? sessionChanged(key, "replaced") : toStorageError(error, path, "read")),
      }),
  }
}
