import { FILE_MODE } from "./folders.js"
import type { FsPort, OpenFile, SyncFile } from "./fs-port.js"
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

function renameNewSync(fs: FsPort, from: string, to: string): boolean {
  let reserved: SyncFile
  try {
    reserved = fs.openSync(to, "wx", FILE_MODE)
  } catch (error) {
    if (isErrno(error, "EEXIST")) return false
    throw error
  }
  let ino: bigint | undefined
  try {
    try {
      ino = reserved.statSync({ bigint: true }).ino
    } finally {
      reserved.closeSync()
    }
    fs.renameSync(from, to)
    return true
  } catch (error) {
    if (ino === undefined || fs.lstatSync(to)?.ino === ino) fs.unlinkSync(to)
    throw error
  }
}

/** Renames, never over an existing name; what comes `first` is done when the name is ours. False when it is taken. */
export async function renameNew(fs: FsPort, from: string, to: string, first?: () => Promise<void>): Promise<boolean> {
  let reserved: OpenFile
  try {
    reserved = await fs.open(to, "wx", FILE_MODE)
  } catch (error) {
    if (isErrno(error, "EEXIST")) return false
    throw error
  }
  let ino: bigint | undefined
  try {
    ino = (await reserved.stat({ bigint: true }).finally(() => reserved.close())).ino
    await first?.()
    await fs.rename(from, to)
    return true
  } catch (error) {
    // A network file system may have renamed anyway: only the reservation is ours to remove.
    if (ino === undefined || (await fs.lstat(to, { bigint: true })).ino === ino) await fs.unlink(to)
    throw error
  }
}

/** The file system has no hard links, or gives none to this file. */
export function isWithoutLinks(error: unknown): boolean {
  return isErrno(error, "EPERM", "EACCES", "ENOTSUP", "EOPNOTSUPP", "ENOSYS", "EMLINK")
}
