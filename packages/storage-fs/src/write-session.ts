import type { StorageStat } from "@treelog/session-core"
import type { Chunks } from "@treelog/session-core/adapter"
import { placeNew, placeNewSync, type SyncFile, sessionExists } from "@treelog-internal/fs"
import { keepBackup, keepBackupSync } from "./backups.js"
import { expectUnchanged } from "./stored-stat.js"
import { type NewFile, openTempSync, syncTempName, tempName, writeTemp, writeTempSync } from "./temp-file.js"

// Crash argument. The name is given to a file that is whole and on the disk already, by one call that fails where the
// name is taken. Before that call a crash leaves a temporary file, which no listing shows and the next holder of the
// lease removes; after it, the whole session, under a name that is durable once the folder is synced.

/**
 * Stores a new session under its name, whole or not at all.
 * @throws SessionExistsError
 */
export async function createFile(file: NewFile, chunks: Chunks): Promise<StorageStat> {
  const { fs, path, key, temporaryFiles } = file
  const temp = tempName(path, file.token)
  try {
    const stat = await writeTemp(fs, temp, chunks, { unlike: file.identities })
    if (!(await placeNew(fs, temp, path))) throw sessionExists(key)
    return stat
  } finally {
    await temporaryFiles.discard(temp)
  }
}

/**
 * The same without promises. The file stays open, for appending.
 * @param isSynced without it, the name is given to a file that is whole for all who read it, and after a power failure may be empty or
 * short, as after an append that was not synced
 */
export function createFileSync(
  file: NewFile,
  chunks: Iterable<Uint8Array>,
  isSynced: boolean,
): { file: SyncFile; stat: StorageStat } {
  const { fs, path, key, temporaryFiles } = file
  const temp = syncTempName(path, file.token)
  let made: { file: SyncFile; stat: StorageStat } | undefined
  try {
    made = openTempSync(fs, temp, chunks, { unlike: file.identities, isSynced })
    if (!placeNewSync(fs, temp, path)) throw sessionExists(key)
    return made
  } catch (error) {
    made?.file.closeSync()
    throw error
  } finally {
    temporaryFiles.discardSync(temp)
  }
}

// Crash argument. The new bytes are whole and on the disk, under a temporary name in the same folder, before the one
// call that gives them the session's name, and a rename is atomic. A crash before it leaves the old file, and perhaps a
// temporary one that no listing shows and the next holder of the lease removes; a crash after it leaves the new file.
// Which of the two has the name after a power failure is settled when the folder is synced: either way it is a whole
// file.
//
// The old bytes are kept by a second name for the same file, given before the rename, so that there is no moment at
// which they have none. After a crash between the two calls the session and the kept name are one file; the next
// attempt finds that, and takes the name for its own.
//
// What is stored is compared with what the caller read once more just before the rename. A writer that knows no lease
// may still slip into the microseconds in between; for that there is no call.

/**
 * Replaces the bytes under the name; the name is durable after its folder is synced. The mode and the owner of the old
 * file are kept.
 * @throws SessionChangedError when what is stored is not `expected`
 */
export async function replaceFile(
  file: NewFile,
  chunks: Chunks,
  { expected, keepAs }: { expected: StorageStat; keepAs?: string | undefined },
): Promise<{ stat: StorageStat; kept?: string }> {
  const { fs, path, key, temporaryFiles } = file
  const temp = tempName(path, file.token)
  const like = expectUnchanged(fs, path, key, expected)
  let isTemp = true
  try {
    const stat = await writeTemp(fs, temp, chunks, { like, unlike: file.identities })
    expectUnchanged(fs, path, key, expected)
    const kept = keepAs === undefined ? undefined : await keepBackup(file, expected.identity, keepAs)
    await fs.rename(temp, path)
    isTemp = false
    return kept === undefined ? { stat } : { stat, kept }
  } finally {
    if (isTemp) await temporaryFiles.discard(temp)
  }
}

/** The same without promises. */
export function replaceFileSync(
  file: NewFile,
  chunks: Iterable<Uint8Array>,
  { expected, keepAs }: { expected: StorageStat; keepAs?: string | undefined },
): { stat: StorageStat; kept?: string } {
  const { fs, path, key, temporaryFiles } = file
  const temp = syncTempName(path, file.token)
  const like = expectUnchanged(fs, path, key, expected)
  let isTemp = true
  try {
    const stat = writeTempSync(fs, temp, chunks, { like, unlike: file.identities })
    expectUnchanged(fs, path, key, expected)
    const kept = keepAs === undefined ? undefined : keepBackupSync(file, expected.identity, keepAs)
    fs.renameSync(temp, path)
    isTemp = false
    return kept === undefined ? { stat } : { stat, kept }
  } finally {
    if (isTemp) temporaryFiles.discardSync(temp)
  }
}
