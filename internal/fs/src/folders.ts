import { dirname, sep } from "node:path"
import type { FsPort } from "./fs-port.js"
import { isErrno } from "./storage-error.js"

export const FOLDER_MODE = 0o700
export const FILE_MODE = 0o600

/**
 * Makes the folder and those above it where they are missing. Returns the folders that got a new name in them, for
 * `syncFolder`.
 */
export function makeFolder(fs: FsPort, folder: string): string[] {
  return changedFolders(folder, fs.mkdirSync(folder, { recursive: true, mode: FOLDER_MODE }))
}

/** @param first the first of the folders that were made */
function changedFolders(folder: string, first: string | undefined): string[] {
  if (first === undefined) return []
  const changed: string[] = []
  for (let made = folder; depthOf(made) >= depthOf(first) && made !== dirname(made); made = dirname(made)) {
    changed.push(dirname(made))
  }
  return changed
}

/** `makeFolder`, durably. */
export async function makeDurableFolder(fs: FsPort, folder: string): Promise<void> {
  for (const changed of makeFolder(fs, folder)) await syncFolder(fs, changed)
}

/** Gives a file another name, which outlives a crash, in a folder that is made where it is missing. Replaces what has the name. */
export async function renameDurably(fs: FsPort, from: string, to: string): Promise<void> {
  await makeDurableFolder(fs, dirname(to))
  await fs.rename(from, to)
  await syncFolder(fs, dirname(to))
}

/** The file system has no such call for folders. */
const NO_SYNC = ["EINVAL", "ENOTSUP", "EOPNOTSUPP", "ENOSYS"]

/**
 * Makes the names in a folder durable: a new, renamed or removed file keeps its name through a crash only after this.
 * Windows cannot open a folder, and some network file systems do not support the call; both write names through.
 */
export async function syncFolder(fs: FsPort, folder: string): Promise<void> {
  if (process.platform === "win32") return
  const file = await fs.open(folder, "r")
  try {
    await file.sync()
  } catch (error) {
    if (!isErrno(error, ...NO_SYNC)) throw error
  } finally {
    await file.close()
  }
}

/** `syncFolder` without promises. */
export function syncFolderSync(fs: FsPort, folder: string): void {
  if (process.platform === "win32") return
  const file = fs.openSync(folder)
  try {
    file.syncSync()
  } catch (error) {
    if (!isErrno(error, ...NO_SYNC)) throw error
  } finally {
    file.closeSync()
  }
}

function depthOf(path: string): number {
  return path.split(sep).length
}
