import {
  chmodSync,
  closeSync,
  constants,
  copyFileSync,
  existsSync,
  mkdtempSync,
  openSync,
  readSync,
  rmSync,
  statSync,
} from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { TreelogError } from "@treelog/session-core"
import type { SqliteDatabase, SqliteDriver } from "../driver/sqlite-driver.js"

// Even a read-only connection to a file in WAL mode writes: it creates `-wal` and `-shm`, or takes locks and recovers after a killed
// process. So SQLite gets copies of the database, its log and its journal, in a folder that only this user can read.

/** Two writes within this time may give a file the same timestamp. Nanoseconds. */
const TICK = 50_000_000n
/** How much of the beginning of each file is compared: more than a log or a journal has as its header. Bytes. */
const HEADER = 32
/** In the header of a database, the counter that each transaction changes which is not in a log. Bytes. */
const COUNTER = { start: 24, end: 28 }
/** How a journal begins (sqlite.org/fileformat2.html), and how it ends that names another one. */
const MAGIC = Buffer.from("d9d505f920a163d7", "hex")
/** How a log and a journal begin that are in use, in hexadecimal. */
const IN_USE = new RegExp(`^(?:377f068[23]|${MAGIC.toString("hex")})`)

/** A copy of the committed state of a database at one moment. */
export interface DatabaseCopy {
  readonly db: SqliteDatabase
  /** The `databaseVersion` of its files; undefined where a later change could have the same. */
  readonly version: string | undefined
  /** Whether the files are unchanged since. */
  isCurrent(): boolean
}

/** Changes with the files of a database. @throws the errors of the file system */
export function databaseVersion(path: string): string {
  return stampText(stampOf(path))
}

/** Whether there is a file that is not empty. @throws the errors of the file system */
export function hasDatabase(path: string): boolean {
  return stampOf(path).file.size > 0n
}

/**
 * Opens a copy of a database in any state, without writing where it is. Undefined if there is no file, or an empty one.
 * @throws an error with the code SQLITE_BUSY when another process changes it at the same time
 */
export function openCopy(driver: SqliteDriver, path: string): DatabaseCopy | undefined {
  const before = stampOf(path)
  if (before.file.size === 0n) return undefined
  const folder = mkdtempSync(join(tmpdir(), "treelog-sqlite-"))
  const remove = (): void => rmSync(folder, { recursive: true, force: true })
  let db: SqliteDatabase | undefined
  try {
    const copy = join(folder, "copy.db")
    // The log after the database: pages that a process moves from the log into the database meanwhile are still in the log.
    for (const end of ["", "-wal", "-journal"]) copyFile(`${path}${end}`, `${copy}${end}`)
    requireOwnJournal(`${copy}-journal`, path)
    // The end of this millisecond: what was written within it has no time that lies ahead.
    const readAt = BigInt(Date.now() + 1) * 1_000_000n
    const after = stampOf(path)
    if (!isOneState(before, after)) throw changedMeanwhile()
    db = driver.open(copy)
    // With the first page, SQLite reads the log, or undoes what the journal has.
    const isEmpty = db.prepare("PRAGMA page_count").get<{ page_count: number }>()?.page_count === 0
    if (!isEmpty) db.prepare("SELECT count(*) FROM sqlite_master").get()
    const isSettled = [after.file, after.log, after.journal].every((stamp) => isOlder(stamp, readAt))
    const copied = removedAfterUse(db, remove)
    const version = isSettled ? stampText(after) : undefined
    if (!isEmpty) return { db: copied, version, isCurrent: () => version === databaseVersion(path) }
    copied.close()
    return undefined
  } catch (error) {
    db?.close()
    remove()
    throw error
  }
}

/** The files go as soon as they are open; on Windows, where open files cannot be removed, when they are closed. */
function removedAfterUse(db: SqliteDatabase, remove: () => void): SqliteDatabase {
  if (process.platform !== "win32") {
    remove()
    return db
  }
  return {
    prepare: (sql) => db.prepare(sql),
    exec: (sql) => db.exec(sql),
    close() {
      db.close()
      remove()
    },
  }
}

/** Nothing where there is no file. */
function copyFile(path: string, copy: string): void {
  if (!existsSync(path)) return
  try {
    // On the same file system, a copy can share the blocks.
    copyFileSync(path, copy, constants.COPYFILE_FICLONE)
    chmodSync(copy, 0o600)
  } catch (error) {
    // It was deleted in the meantime, which the next stamp shows.
    if (!(error instanceof Error && "code" in error && error.code === "ENOENT")) throw error
  }
}

/**
 * A journal of a transaction in several databases ends with the path of another journal, which SQLite reads, and deletes: whatever file that is.
 * @throws StorageError
 */
function requireOwnJournal(copy: string, path: string): void {
  const size = statSync(copy, { throwIfNoEntry: false })?.size ?? 0
  if (size < MAGIC.length || !bytesAt(copy, size - MAGIC.length, MAGIC.length).equals(MAGIC)) return
  const message = `The database ${path} is not read: its journal names another file.`
  throw new TreelogError("StorageError", message, { key: path, operation: "open", errno: undefined })
}

interface FileStamp {
  readonly identity: string
  readonly size: bigint
  readonly changed: bigint
  /** What identifies the present content: of a database its counter, of a log or a journal that is in use its header. */
  readonly header: string
}

type Stamp = Record<"file" | "log" | "journal", FileStamp>

function stampOf(path: string): Stamp {
  // In this order: a writer removes its journal once the database has all of a transaction.
  const file = fileStamp(path, (header) => header.toString("hex", COUNTER.start, COUNTER.end))
  const [log, journal] = [`${path}-wal`, `${path}-journal`].map((beside) => fileStamp(beside, headerInUse))
  return { file, log: log as FileStamp, journal: journal as FileStamp }
}

function headerInUse(header: Buffer): string {
  const text = header.toString("hex")
  return IN_USE.test(text) ? text : ""
}

/** @throws StorageError for what is no file: to open a pipe can wait for ever */
function fileStamp(path: string, identified: (header: Buffer) => string): FileStamp {
  const stat = statSync(path, { bigint: true, throwIfNoEntry: false })
  if (stat === undefined) return { identity: "", size: 0n, changed: 0n, header: "" }
  if (!stat.isFile()) {
    const found = stat.isDirectory() ? "a folder" : "a pipe, a device or another special file"
    const data = { key: path, operation: "open", errno: undefined }
    throw new TreelogError("StorageError", `${path} is not a database but ${found}.`, data)
  }
  const header = stat.size > 0n ? identified(bytesAt(path, 0, HEADER)) : ""
  return { identity: `${stat.dev}:${stat.ino}`, size: stat.size, changed: stat.mtimeNs, header }
}

/** Fewer where the file ends before; none where it was removed meanwhile. */
function bytesAt(path: string, offset: number, length: number): Buffer {
  let file: number
  try {
    file = openSync(path, "r")
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return Buffer.alloc(0)
    throw error
  }
  try {
    const bytes = Buffer.alloc(length)
    return bytes.subarray(0, readSync(file, bytes, 0, length, offset))
  } finally {
    closeSync(file)
  }
}

/**
 * Whether the bytes read between the two stamps are one state of the database. While the log or journal is the same, it contains
 * every page that a process writes into the database. If there is neither, the database must not have changed.
 */
function isOneState(before: Stamp, after: Stamp): boolean {
  if (before.file.identity !== after.file.identity) return false
  if (before.log.header !== after.log.header || before.journal.header !== after.journal.header) return false
  if (after.log.header !== "" || after.journal.header !== "") return true
  return stampText(before) === stampText(after)
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

function changedMeanwhile(): Error {
  return Object.assign(new Error("another program changes it all the while it is read"), { code: "SQLITE_BUSY" })
}
