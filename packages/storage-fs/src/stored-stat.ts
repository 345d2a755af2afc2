import { statSync } from "node:fs"
import type { StorageStat } from "@treelog/session-core"
import {
  type FileStat,
  type FsPort,
  isErrno,
  lstatIfThere,
  toStorageError,
  withStorageErrors,
} from "@treelog-internal/fs"
import { notAFile, sessionChanged } from "./session-errors.js"

/** The part of a stat that shows whether a file has changed. */
export type FileMarks = Pick<FileStat, "dev" | "ino" | "size" | "mtimeNs" | "birthtimeNs">

export function storedStat(stat: FileMarks): StorageStat {
  return { size: Number(stat.size), modified: Number(stat.mtimeNs) / 1e6, identity: identityOf(stat) }
}

/**
 * Distinguishes a file from a later one with the same name. The inode number alone does not: a file system gives the number
 * of a removed file to the next one that is made, so the time of birth is part of it where it is known.
 */
export function identityOf({ dev, ino, birthtimeNs }: Pick<FileMarks, "dev" | "ino" | "birthtimeNs">): string {
  return birthtimesAreTrue() ? `${dev}:${ino}:${birthtimeNs}` : `${dev}:${ino}`
}

/** Whether both have the same identity. */
export function isSameFile(a: FileMarks, b: FileMarks): boolean {
  return a.ino === b.ino && a.dev === b.dev && (a.birthtimeNs === b.birthtimeNs || !birthtimesAreTrue())
}

let areTrue: boolean | undefined

/**
 * Without the statx call (an old container's filter forbids it), Node reports the time of the last change as that of
 * birth: it would make every append look like a new file. The program that runs us was not changed when it was born.
 */
function birthtimesAreTrue(): boolean {
  if (areTrue === undefined) {
    const { birthtimeNs, ctimeNs } = statSync(process.execPath, { bigint: true })
    areTrue = birthtimeNs !== ctimeNs
  }
  return areTrue
}

/**
 * Undefined when nothing has the name. A link that leads nowhere is something, and its stat is an error.
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

/**
 * Compares what is stored with what the caller expects, and returns it. Without promises: each append asks, and a stat through
 * the thread pool takes ten times as long as the stat itself.
 * @throws SessionChangedError when it is another file, or one of another size
 */
export function expectUnchanged(fs: FsPort, path: string, key: string, expected: StorageStat): FileStat {
  const found = statStored(fs, path, key)
  const { identity, size } = storedStat(found)
  if (identity !== expected.identity) throw sessionChanged(key, "replaced")
  if (size < expected.size) throw sessionChanged(key, "shrunk")
  if (size > expected.size) throw sessionChanged(key, "grown")
  return found
}

/** @throws SessionChangedError when nothing has the name */
export function statStored(fs: FsPort, path: string, key: string): FileStat {
  const found = fs.statSync(path)
  if (found === undefined) throw sessionChanged(key, "gone")
  return found
}

/**
 * The file that a key leads to. A session that is a symbolic link is locked, replaced and kept where its file is, so
 * that all who reach the file exclude each other, and the link stays.
 */
export async function realPath(fs: FsPort, key: string): Promise<string> {
  const found = await lstatIfThere(fs, key)
  return found?.isSymbolicLink() ? fs.realpath(key) : key
}
