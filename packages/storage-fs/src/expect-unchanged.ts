import { type StorageStat, TreelogError, type TreelogErrorData } from "@treelog/session-core"
import { type FileStat, type FsPort, isErrno } from "@treelog-internal/fs"
import { storedStat } from "./stored-stat.js"

/**
 * Looks at the file and compares it with what the caller believes to be stored. Resolves to what is there.
 * @throws SessionChangedError when that is another file, or one of another size
 */
export async function expectUnchanged(fs: FsPort, path: string, key: string, expected: StorageStat): Promise<FileStat> {
  const found = await statOf(fs, path, key)
  const { identity, size } = storedStat(found)
  if (identity !== expected.identity) throw sessionChanged(key, "replaced")
  if (size < expected.size) throw sessionChanged(key, "shrunk")
  if (size > expected.size) throw sessionChanged(key, "grown")
  return found
}

export function sessionChanged(
  key: string,
  change: TreelogErrorData["SessionChangedError"]["change"],
): TreelogError<"SessionChangedError"> {
  const message = `The session is no longer what was read (${change}): ${key}`
  return new TreelogError("SessionChangedError", message, { key, change })
}

async function statOf(fs: FsPort, path: string, key: string): Promise<FileStat> {
  try {
    return await fs.stat(path, { bigint: true })
  } catch (error) {
    if (isErrno(error, "ENOENT")) throw sessionChanged(key, "gone")
    throw error
  }
}
