import { setImmediate } from "node:timers/promises"
import { type StoredRanges, sessionChanged } from "@treelog/session-core/adapter"
import { bufferFor, FileRanges, type FsPort, isGone, toStorageError } from "@treelog-internal/fs"

/** The bytes of a converted session. They never change. */
export interface Content {
  readonly isInMemory: boolean
  /** Ranges that stay readable until they are closed, whatever becomes of the cache. @throws StorageError, SessionChangedError */
  open(key: string): StoredRanges
}

export function inMemory(bytes: Uint8Array): Content {
  const read = (offset: number, length: number) => bytes.subarray(offset, offset + length)
  return { isInMemory: true, open: () => ({ read, pause: () => setImmediate(), close: () => {} }) }
}

/** The first bytes of a file. */
interface FileStart {
  readonly path: string
  /** Bytes. */
  readonly size: number
}

/** The bytes of files, one after the other. */
export function inFiles(fs: FsPort, files: readonly FileStart[]): Content {
  return { isInMemory: false, open: (key) => new JoinedRanges(fs, files, key) }
}

/** Ranges across files that are all open. */
class JoinedRanges implements StoredRanges {
  readonly #parts: { readonly start: number; readonly end: number; readonly ranges: FileRanges }[] = []

  constructor(fs: FsPort, files: readonly FileStart[], key: string) {
    try {
      let start = 0
      for (const { path, size } of files) {
        const end = start + size
        this.#parts.push({
          start,
          end,
          ranges: new FileRanges(fs, path, { toError: (error) => gone(error, path, key) }),
        })
        start = end
      }
    } catch (error) {
      this.close()
      throw error
    }
  }

  read(offset: number, length: number, into?: Uint8Array): Uint8Array {
    const parts = this.#parts.filter(({ start, end }) => start < offset + length && end > offset)
    const readOf = ({ start, end, ranges }: (typeof parts)[number], buffer?: Uint8Array): Uint8Array => {
      const from = Math.max(offset, start)
      return ranges.read(from - start, Math.min(offset + length, end) - from, buffer)
    }
    const [first] = parts
    if (!first) return new Uint8Array()
    if (parts.length === 1) return readOf(first, into)
    const bytes = bufferFor(length, into)
    let done = 0
    for (const part of parts) {
      done += readOf(part, bytes.subarray(done)).length
      if (offset + done < Math.min(part.end, offset + length)) break
    }
    return bytes.subarray(0, done)
  }

  pause(): Promise<void> {
    return setImmediate()
  }

  close(): void {
    for (const { ranges } of this.#parts) ranges.close()
  }
}

/** It was removed to make room, or because the session has grown: its reader stats the session again. */
function gone(error: unknown, path: string, key: string): unknown {
  return isGone(error) ? sessionChanged(key, "replaced") : toStorageError(error, path, "read")
}
