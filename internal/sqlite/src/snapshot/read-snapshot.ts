import { closeSync, constants, copyFileSync, openSync, readSync, statSync } from "node:fs"
import { TreelogError } from "@treelog/session-core"
import { copyInFile } from "../driver/copy-in-file.js"
import type { SqliteDatabase, SqliteDriver } from "../driver/sqlite-driver.js"
import { applyJournal, journalHeader } from "./apply-journal.js"
import { applyLog, logHeader } from "./apply-log.js"

// Even a read-only SQLite connection to a file in WAL mode writes: it creates `-wal` and `-shm`, or takes locks and recovers after a
// killed process. To read without writing, the bytes are read here and passed to SQLite as a copy: in memory, or of a large database in a
// temporary file.

/** The largest allocation of SQLite. Bytes. */
const MOST_BYTES = 0x7fff_feff
/** Memory for a copy is needed up to three times: as it is read, with the log applied, and in SQLite. Bytes. */
const MOST_IN_MEMORY = 256 * 1024 * 1024
const NEEDS_SQLITE = "needs SQLite: run `npm install better-sqlite3`, or use Node 22.13 or newer, which includes it"
/** The value of the write and read version in the header of a database in WAL mode. */
const WAL_MODE = 2
/** Longer than the header of a log or of a journal. */
const HEADER = 64
/** Two writes within this time may give a file the same timestamp. Nanoseconds. */
const TICK = 50_000_000n

/** The committed state of a database at one moment. */
export interface Snapshot {
  readonly bytes: Buffer
  /** Whether the files are unchanged since. */
  isCurrent(): boolean
}

/**
 * Reads a database in any state without writing. Undefined if there is no file, or an empty one.
 * @throws an error with the code SQLITE_BUSY when another process changes it at the same time
 */
export function readSnapshot(path: string): Snapshot | undefined {
  const before = stampOf(path)
  if (before.file.size === 0n) return undefined
  const database = readWhole(path)
  // Read after the database: pages that a process moves from the log into the database meanwhile are still in the log.
  const log = readWhole(`${path}-wal`)
  const journal = readWhole(`${path}-journal`)
  const isCurrent = oneState(path, before)
  const resize = (content: Buffer, size: number) => resized(path, content, size)
  const bytes = applyJournal(applyLog(database, log, resize), journal, resize)
  if (bytes.length === 0) return undefined
  // The copy has no log, so it must not be in WAL mode.
  for (const version of [18, 19]) if (bytes[version] === WAL_MODE) bytes[version] = 1
  return { bytes, isCurrent }
}

/** An open copy of the committed state of a database at one moment. */
export interface OpenSnapshot extends Pick<Snapshot, "isCurrent"> {
  readonly db: SqliteDatabase
}

/**
 * Opens a copy of a database in any state and of any size, without writing where it is. Undefined if there is no file, or an empty one.
 * @param driver - undefined where there is no SQLite
 * @param mostInMemory - the copy of a larger one is a temporary file. Bytes
 * @throws StorageError where there is no SQLite; an error with the code SQLITE_BUSY when another process changes it at the same time
 */
export function openSnapshot(
  path: string,
  driver: SqliteDriver | undefined,
  mostInMemory = MOST_IN_MEMORY,
): OpenSnapshot | undefined {
  const before = stampOf(path)
  if (before.file.size === 0n) return undefined
  if (!driver) throw unreadable(path, NEEDS_SQLITE)
  if (before.file.size + before.log.size <= mostInMemory) {
    const snapshot = readSnapshot(path)
    return snapshot && { db: driver.openCopy(snapshot.bytes), isCurrent: snapshot.isCurrent }
  }
  let isCurrent = (): boolean => false
  const db = copyInFile(
    (copy) => {
      // In the order of `readSnapshot`. SQLite applies the log or the journal of the copy.
      for (const suffix of ["", "-wal", "-journal"]) copyIfThere(path + suffix, copy + suffix)
      isCurrent = oneState(path, before)
    },
    (copy) => openWithoutLog(driver, copy),
  )
  return { db, isCurrent }
}

/** A copy on the same file system shares its blocks where that can be. */
function copyIfThere(path: string, copy: string): void {
  try {
    copyFileSync(path, copy, constants.COPYFILE_FICLONE)
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "ENOENT")) throw error
  }
}

/** SQLite opens the files of a copy when it first reads, and in WAL mode needs several. */
function openWithoutLog(driver: SqliteDriver, copy: string): SqliteDatabase {
  const db = driver.open(copy)
  try {
    db.exec("PRAGMA journal_mode = DELETE")
    return db
  } catch (error) {
    db.close()
    throw error
  }
}

/**
 * To call after reading.
 * @returns whether the files are unchanged since
 * @throws an error with the code SQLITE_BUSY when what was read is not one state
 */
function oneState(path: string, before: Stamp): Snapshot["isCurrent"] {
  const readAt = BigInt(Date.now()) * 1_000_000n
  const after = stampOf(path)
  if (!isOneState(before, after, readAt)) throw changedMeanwhile(path)
  const isSettled = [after.file, after.log, after.journal].every((stamp) => isOlder(stamp, readAt))
  return () => isSettled && isSame(after, stampOf(path))
}

interface FileStamp {
  readonly identity: string
  readonly size: bigint
  readonly changed: bigint
  readonly header: string
}

type Stamp = Record<"file" | "log" | "journal", FileStamp>

function stampOf(path: string): Stamp {
  return {
    file: fileStamp(path, () => ""),
    log: fileStamp(`${path}-wal`, () => logHeader(readWhole(`${path}-wal`, HEADER))),
    journal: fileStamp(`${path}-journal`, () => journalHeader(readWhole(`${path}-journal`, HEADER))),
  }
}

function fileStamp(path: string, readHeader: () => string): FileStamp {
  const stat = statSync(path, { bigint: true, throwIfNoEntry: false })
  if (stat === undefined) return { identity: "", size: 0n, changed: 0n, header: "" }
  return { identity: `${stat.dev}:${stat.ino}`, size: stat.size, changed: stat.mtimeNs, header: readHeader() }
}

/**
 * Whether the bytes read between the two stamps are one state of the database. While the log or journal is the same, it contains
 * every page that a process writes into the database. If there is neither, the database must not have changed.
 */
function isOneState(before: Stamp, after: Stamp, readAt: bigint): boolean {
  if (before.file.identity !== after.file.identity) return false
  if (before.log.header !== after.log.header || before.journal.header !== after.journal.header) return false
  if (after.log.header !== "" || after.journal.header !== "") return true
  return isSame(before, after) && isOlder(after.file, readAt)
}

function isSame(one: Stamp, other: Stamp): boolean {
  return stampText(one) === stampText(other)
}

function stampText({ file, log, journal }: Stamp): string {
  return [file, log, journal]
    .map(({ identity, size, changed, header }) => `${identity} ${size} ${changed} ${header}`)
    .join()
}

/** Whether the file is older than `time`. A time in the future is from another clock, and counts as old. */
function isOlder({ changed }: FileStamp, time: bigint): boolean {
  return changed > time || changed < time - TICK
}

/** @returns an empty buffer if there is no file */
function readWhole(path: string, most = MOST_BYTES): Buffer {
  const stat = statSync(path, { throwIfNoEntry: false })
  if (stat === undefined) return Buffer.alloc(0)
  if (!stat.isFile()) throw unreadable(path, "is not a regular file")
  if (stat.size > MOST_BYTES) throw tooLarge(path)
  const bytes = Buffer.alloc(Math.min(stat.size, most))
  let descriptor: number
  try {
    descriptor = openSync(path, "r")
  } catch (error) {
    // It was deleted in the meantime, which the next stamp shows.
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return Buffer.alloc(0)
    throw error
  }
  try {
    let length = 0
    while (length < bytes.length) {
      const read = readSync(descriptor, bytes, length, bytes.length - length, length)
      if (read === 0) break
      length += read
    }
    return bytes.subarray(0, length)
  } finally {
    closeSync(descriptor)
  }
}

function resized(path: string, content: Buffer, size: number): Buffer {
  if (size > MOST_BYTES) throw tooLarge(path)
  const bytes = Buffer.alloc(size)
  content.copy(bytes)
  return bytes
}

function tooLarge(path: string): TreelogError<"StorageError"> {
  return unreadable(path, "is larger than 2 GiB; it can only be read when it is opened for writing")
}

function unreadable(key: string, what: string): TreelogError<"StorageError"> {
  return new TreelogError("StorageError", `${key} ${what}.`, { key, operation: "open", errno: undefined })
}

function changedMeanwhile(path: string): Error {
  return Object.assign(new Error(`${path} changes all the while it is read.`), { code: "SQLITE_BUSY" })
}
