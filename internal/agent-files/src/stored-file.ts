import { join, resolve, sep } from "node:path"
import { TreelogError } from "@treelog/session-core"
import { type FsPort, isGone, toStorageError } from "@treelog-internal/fs"

/**
 * The path of a file that the content of a session names. Links are followed: what they lead to has to be in the folder, too.
 * @param key of the session
 * @throws InvalidSessionError for a file outside of the folder; StorageError
 */
export function storedFile(fs: FsPort, folder: string, name: string, key: string): string {
  const path = resolve(folder, name)
  if (!isIn(folder, path) || !isIn(realPath(fs, folder), realPath(fs, path))) {
    const found = `the name of a file outside of ${folder}: ${JSON.stringify(name)}`
    throw new TreelogError("InvalidSessionError", `${key} has ${found}.`, { key, found, isDamaged: true })
  }
  return path
}

function isIn(folder: string, path: string): boolean {
  return path.startsWith(join(folder, sep))
}

/** The path itself where there is nothing. */
function realPath(fs: FsPort, path: string): string {
  try {
    return fs.realpathSync(path)
  } catch (error) {
    if (isGone(error)) return path
    throw toStorageError(error, path, "read")
  }
}
