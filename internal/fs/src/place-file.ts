import { FILE_MODE } from "./folders.js"
import type { FsPort, SyncFile } from "./fs-port.js"
import { isErrno } from "./storage-error.js"

// How a finished file gets a name that must not be taken.
//
// A hard link is the one call that gives a name to a whole file and fails where the name exists. Where the file system
// has no hard links (FAT, some network and phone storages), the name is reserved by an empty file, exclusively, and the
// finished file is renamed over that. A crash in between leaves an empty file: an empty session, or a lock without an
// owner, and both are handled by their readers.
//
// A rename is reserved in the same way, also where links work: link and unlink would, when the crash comes between,
// leave one session under two names, each of which could be leased and written.

/**
 * Gives a finished temporary file its name. The temporary name stays, or not: the caller discards it. False when the
 * name is taken.
 */
export function placeNew(fs: FsPort, temp: string, path: string): boolean {
  try {
    fs.linkSync(temp, path)
    return true
  } catch (error) {
    // A network may have lost the answer: then the call fails, and the file has its second name anyway.
    if ((fs.lstatSync(temp)?.nlink ?? 0n) > 1n) return true
    if (isErrno(error, "EEXIST")) return false
    if (!isWithoutLinks(error)) throw error
  }
  return renameNewSync(fs, temp, path)
}

/** Reserves a name by an empty file. Returns the number of its inode; undefined when the name is taken. */
function reserve(fs: FsPort, path: string): bigint | undefined {
  let file: SyncFile
  try {
    file = fs.openSync(path, "wx", FILE_MODE)
  } catch (error) {
    if (isErrno(error, "EEXIST")) return undefined
    throw error
  }
  try {
    try {
      return file.statSync({ bigint: true }).ino
    } finally {
      file.closeSync()
    }
  } catch (error) {
    fs.unlinkSync(path)
    throw error
  }
}

/** A network file system may have renamed anyway: only the reservation is ours to remove. */
function unreserve(fs: FsPort, path: string, ino: bigint): void {
  if (fs.lstatSync(path)?.ino === ino) fs.unlinkSync(path)
}

function renameNewSync(fs: FsPort, from: string, to: string): boolean {
  const ino = reserve(fs, to)
  if (ino === undefined) return false
  try {
    fs.renameSync(from, to)
    return true
  } catch (error) {
    unreserve(fs, to, ino)
    throw error
  }
}

/** Renames, never over an existing name; what comes `first` is done when the name is ours. False when it is taken. */
export async function renameNew(fs: FsPort, from: string, to: string, first?: () => Promise<void>): Promise<boolean> {
  const ino = reserve(fs, to)
  if (ino === undefined) return false
  try {
    await first?.()
    await fs.rename(from, to)
    return true
  } catch (error) {
    unreserve(fs, to, ino)
    throw error
  }
}

/** The file system has no hard links, or gives none to this file. */
export function isWithoutLinks(error: unknown): boolean {
  return isErrno(error, "EPERM", "EACCES", "ENOTSUP", "EOPNOTSUPP", "ENOSYS", "EMLINK")
}
