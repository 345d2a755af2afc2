import type { StorageStat } from "@treelog/session-core"
import { type FsPort, isErrno, lstatIfThere, toStorageError, withStorageErrors } from "@treelog-internal/fs"
import { notAFile } from "./session-errors.js"
import { storedStat } from "./stored-stat.js"

/**
 * Undefined when nothing has the name. A link that leads nowhere is something, and cannot be looked at.
 * @throws InvalidSessionError, StorageError
 */
export async function statSession(fs: FsPort, key: string): Promise<StorageStat | undefined> {
  try {
    const stat = await fs.stat(key, { bigint: true })
    if (!stat.isFile()) throw notAFile(key, stat.isDirectory())
    return storedStat(stat)
  } catch (error) {
    if (isErrno(error, "ENOENT", "ENOTDIR") && (await isNothing(fs, key))) return undefined
    throw toStorageError(error, key, "stat")
  }
}

function isNothing(fs: FsPort, key: string): Promise<boolean> {
  return withStorageErrors(key, "stat", async () => (await lstatIfThere(fs, key)) === undefined)
}
