import { type StorageStat, sessionChanged } from "@treelog/session-core/adapter"
import { type FileStat, type FsPort, isErrno, notAFile, storedStat, withStorageErrorsSync } from "@treelog-internal/fs"

/**
 * Undefined when nothing has the name. A link that leads nowhere is something, and its stat is an error. Without promises: a stat through
 * the thread pool takes several times as long.
 * @throws InvalidSessionError, StorageError
 */
export function statSession(fs: FsPort, key: string): StorageStat | undefined {
  return withStorageErrorsSync(key, "stat", () => {
    const stat = ifPossible(() => fs.statSync(key))
    if (stat === undefined) {
      const found = ifPossible(() => fs.lstatSync(key))
      if (found?.isSymbolicLink()) throw Object.assign(new Error("a link to nothing"), { code: "ENOENT" })
      // What moves away and back is there again.
      return found && statSession(fs, key)
    }
    if (!stat.isFile()) throw notAFile(key, stat.isDirectory())
    return storedStat(stat)
  })
}

/** Undefined also where a file is in the place of a folder above. */
function ifPossible(stat: () => FileStat | undefined): FileStat | undefined {
  try {
    return stat()
  } catch (error) {
    if (isErrno(error, "ENOTDIR")) return undefined
    throw error
  }
}

/**
 * Compares what is stored with what the caller expects, and returns it. Without promises: each append asks, and a stat through
 * the thread pool takes ten times as long as the stat itself.
 * @throws SessionChangedError when it is another file, or one of another size
 */
export function expectUnchanged(fs: FsPort, path: string, key: string, expected: StorageStat): FileStat {
  const found = statStored(fs, path, key)
  const { identity, size } = storedStat(found)
  if (identity !== expected.identity) throw sessionChanged(key, "replaced")
  if (size < expected.size) throw sessionChanged(key, "shrunk")
  if (size > expected.size) throw sessionChanged(key, "grown")
  return found
}

/** @throws SessionChangedError when nothing has the name */
export function statStored(fs: FsPort, path: string, key: string): FileStat {
  const found = fs.statSync(path)
  if (found === undefined) throw sessionChanged(key, "gone")
  return found
}

/**
 * The file that a key leads to. A session that is a symbolic link is locked, replaced and kept where its file is, so
 * that all who reach the file exclude each other, and the link stays.
 */
export function realPath(fs: FsPort, key: string): string {
  return fs.lstatSync(key)?.isSymbolicLink() ? fs.realpathSync(key) : key
}
