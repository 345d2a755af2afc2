import { copyTree } from "./copy-tree.js"
import type { NewFile } from "./create-file.js"
import type { FsPort } from "./fs-port.js"
import { lstatIfThere } from "./lstat-if-there.js"
import { sessionExists } from "./session-errors.js"
import { artifactsFolder } from "./session-name.js"
import { isErrno } from "./storage-error.js"
import { tempName } from "./temp-file.js"

/**
 * Copies the artifacts of another session to a new one, all or nothing. Resolves to the folder, if there were any.
 * @throws SessionExistsError when the new session has artifacts already
 */
export async function copyArtifacts(file: NewFile, from: string): Promise<string | undefined> {
  const [source, target] = [artifactsFolder(from), artifactsFolder(file.key)]
  if (source === undefined || target === undefined || !(await isFolder(file.fs, source))) return undefined
  const temp = tempName(target, file.token)
  try {
    await copyTree(file.fs, source, temp)
    await moveFolder(file.fs, temp, target, file.key)
    return target
  } catch (error) {
    await file.leftovers.discardFolder(temp)
    throw error
  }
}

/** Renames a folder, never over one that holds something. */
export async function moveFolder(fs: FsPort, from: string, to: string, key: string): Promise<void> {
  try {
    await fs.rename(from, to)
  } catch (error) {
    if (isErrno(error, "ENOTEMPTY", "EEXIST", "ENOTDIR")) throw sessionExists(key)
    throw error
  }
}

/** A link to a folder is none: what it leads to belongs to someone else. */
export async function isFolder(fs: FsPort, path: string): Promise<boolean> {
  return (await lstatIfThere(fs, path))?.isDirectory() ?? false
}
