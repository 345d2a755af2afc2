import { sessionChanged } from "@treelog/session-core/adapter"
import {
  bufferFor,
  FileRanges,
  type FsPort,
  identityOf,
  isErrno,
  notAFile,
  type OpenFile,
  READ_AT_ONCE,
  readWhole,
  sessionNotFound,
  storedStat,
  toStorageError,
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
    const bytes = bufferFor(Math.max(0, Math.min(length, stored.size - offset)), into)
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

/** The ranges of a session file without promises. @throws SessionChangedError where another file has its name, StorageError */
export function openFileRanges(fs: FsPort, key: string, identity: string): FileRanges {
  return new FileRanges(fs, key, {
    check: (stat) => {
      if (identityOf(stat) !== identity) throw sessionChanged(key, "replaced")
    },
    toError: (error) =>
      isErrno(error, "ENOENT", "ENOTDIR") ? sessionChanged(key, "gone") : toStorageError(error, key, "read"),
  })
}
