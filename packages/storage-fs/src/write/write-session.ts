import { type Chunks, type Steps, type StorageStat, sessionExists } from "@treelog/session-core/adapter"
import { type FileStat, placeNew, storedStat } from "@treelog-internal/fs"
import { expectUnchanged } from "../stored-stat.js"
import { keepBackup } from "./backups.js"
import { type MadeFile, makeTemp, type NewFile } from "./temp-file.js"

// Crash argument. The name is given to a file that is whole and on the disk already, by one call that fails where the
// name is taken. Before that call a crash leaves a temporary file, which no listing shows and the next holder of the
// lease removes; after it, the whole session, under a name that is durable once the folder is synced.

/**
 * Stores a new session under its name, whole or not at all. The file stays open, for appending.
 * @param temp the temporary name
 * @param isSynced without it, the name is given to a file that is whole for all who read it, and after a power failure may be empty or
 * short, as after an append that was not synced
 * @throws SessionExistsError
 */
export function* createFile(file: NewFile, temp: string, chunks: Chunks, isSynced: boolean): Steps<MadeFile> {
  try {
    return named(file, temp, yield* makeTemp(file.fs, temp, chunks, { unlike: file.identities, isSynced }))
  } finally {
    file.temporaryFiles.discard(temp)
  }
}

function named({ fs, path, key }: NewFile, temp: string, made: MadeFile): MadeFile {
  try {
    if (!placeNew(fs, temp, path)) throw sessionExists(key)
    return made
  } catch (error) {
    made.file.closeSync()
    throw error
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

/** What is replaced: the state that the caller read, and the suffix of the name by which it is kept. */
interface Replacement {
  readonly expected: StorageStat
  readonly keepAs?: string | undefined
}

interface Replaced {
  readonly stat: StorageStat
  readonly kept?: string
}

/**
 * Replaces the bytes under the name; the name is durable after its folder is synced. The mode and the owner of the old
 * file are kept.
 * @param temp the temporary name
 * @throws SessionChangedError when what is stored is not `expected`
 */
export function* replaceFile(file: NewFile, temp: string, chunks: Chunks, change: Replacement): Steps<Replaced> {
  const like = unchanged(file, change)
  try {
    return renamed(file, temp, yield* makeTemp(file.fs, temp, chunks, { like, unlike: file.identities }), change)
  } catch (error) {
    file.temporaryFiles.discard(temp)
    throw error
  }
}

function unchanged({ fs, path, key }: NewFile, { expected }: Replacement): FileStat {
  return expectUnchanged(fs, path, key, expected)
}

function renamed(file: NewFile, temp: string, made: MadeFile, change: Replacement): Replaced {
  made.file.closeSync()
  unchanged(file, change)
  const { expected, keepAs } = change
  const kept = keepAs === undefined ? undefined : keepBackup(file, expected.identity, keepAs)
  file.fs.renameSync(temp, file.path)
  const stat = storedStat(made.stat)
  return kept === undefined ? { stat } : { stat, kept }
}
