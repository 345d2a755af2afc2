import { join } from "node:path"
import { sessionExists } from "@treelog/session-core/adapter"
import { FOLDER_MODE, type FsPort, fileChunks, isErrno, lstatIfThere, syncFolder } from "@treelog-internal/fs"
import { artifactsFolder } from "../place/session-name.js"
import { type NewFile, tempName, writeTemp } from "../write/temp-file.js"

/**
 * Copies the artifacts of another session for a new one, which `create` makes when they are on the disk; they get their name when
 * the session has its own. So a crash in between leaves artifacts with a temporary name, and `settleLease` sees by the
 * session whether they are wanted.
 * @throws SessionExistsError when the new session has artifacts already
 */
export async function withArtifacts<T>(file: NewFile, from: string, create: () => Promise<T>): Promise<T> {
  const { fs, temporaryFiles } = file
  const [source, target] = [artifactsFolder(from), artifactsFolder(file.key)]
  if (source === undefined || target === undefined || !(await isFolder(fs, source))) return create()
  const temp = tempName(target, file.token)
  let isCreated = false
  try {
    await copyTree(fs, source, temp)
    const created = await create()
    isCreated = true
    moveFolder(fs, temp, target, file.key)
    return created
  } catch (error) {
    if (isCreated) temporaryFiles.discard(file.path)
    temporaryFiles.discardFolder(temp)
    throw error
  }
}

/** Renames a folder, never over one that holds something. */
export function moveFolder(fs: FsPort, from: string, to: string, key: string): void {
  try {
    fs.renameSync(from, to)
  } catch (error) {
    if (isErrno(error, "ENOTEMPTY", "EEXIST", "ENOTDIR")) throw sessionExists(key)
    throw error
  }
}

/** A link to a folder does not count: what it leads to belongs to someone else. */
export async function isFolder(fs: FsPort, path: string): Promise<boolean> {
  return (await lstatIfThere(fs, path))?.isDirectory() ?? false
}

/**
 * Copies a folder with all that is in it, durably, readable by the owner alone. A symbolic link is copied as a link,
 * so nothing from outside the folder is copied; pipes and devices hold no bytes and stay behind.
 */
async function copyTree(fs: FsPort, from: string, to: string): Promise<void> {
  await fs.mkdir(to, { recursive: true, mode: FOLDER_MODE })
  for (const entry of await fs.readdir(from)) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)]
    if (entry.isDirectory()) await copyTree(fs, source, target)
    else if (entry.isSymbolicLink()) await fs.symlink(await fs.readlink(source), target)
    else if (entry.isFile()) await writeTemp(fs, target, fileChunks(fs, source), { unlike: new Set() })
  }
  await syncFolder(fs, to)
}
