import { sessionChanged } from "@treelog/session-core/adapter"
import {
  type FsPort,
  isGone,
  type OpenFile,
  openPlain,
  readWhole,
  sessionNotFound,
  toStorageError,
} from "@treelog-internal/fs"

/** How much at both ends of what was read is compared where the file has grown meanwhile. Bytes. */
const COMPARED = 4096

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
export async function wholeFile(fs: FsPort, path: string): Promise<WholeFile> {
  try {
    const { file, stat } = await openPlain(fs, path)
    try {
      const bytes = Buffer.allocUnsafeSlow(Number(stat.size))
      const length = await readWhole(file, bytes, 0)
      const now = await file.stat({ bigint: true })
      if (length < bytes.length || now.size < stat.size) throw sessionChanged(path, "shrunk")
      const isSame = now.mtimeNs === stat.mtimeNs || (now.size > stat.size && (await hasEndsOf(file, bytes)))
      if (!isSame) throw sessionChanged(path, "replaced")
      return { bytes, modified: Number(stat.mtimeNs) / 1e6 }
    } finally {
      await file.close()
    }
  } catch (error) {
    throw isGone(error) ? sessionNotFound(path) : toStorageError(error, path, "read")
  }
}

async function hasEndsOf(file: OpenFile, bytes: Buffer): Promise<boolean> {
  for (const offset of [0, Math.max(0, bytes.length - COMPARED)]) {
    const before = bytes.subarray(offset, offset + COMPARED)
    const now = Buffer.alloc(before.length)
    await readWhole(file, now, offset)
    if (!now.equals(before)) return false
  }
  return true
}
