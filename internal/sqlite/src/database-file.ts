import { closeSync, existsSync, mkdirSync, openSync, renameSync, statSync } from "node:fs"
import { dirname } from "node:path"
import { TreelogError } from "@treelog/session-core"
import type { SqliteDriver } from "./driver/sqlite-driver.js"
import { retryBusy } from "./retry-busy.js"
import type { SqliteConnection } from "./sqlite-connection.js"
import { isDamaged, isDamagedIndex, sqliteCode, toStorageError } from "./sqlite-fault.js"

export interface DatabaseFileOptions<Connection extends SqliteConnection> {
  readonly path: string
  /** The subject of error messages, such as "The prompt history". */
  readonly what: string
  readonly loadDriver: () => Promise<SqliteDriver>
  /** Opens the file, and creates or migrates its tables. Errors are those of SQLite. */
  readonly open: (driver: SqliteDriver, path: string) => Connection
  /** What is left to do once the file is open. */
  readonly settle: (connection: Connection) => Promise<void>
  /** Rebuilds the full-text indexes from the other tables. @returns false if that is not possible */
  readonly repair: (connection: Connection) => Promise<boolean>
  /** The error for calls after `close`. */
  readonly closed: () => Error
  /** Milliseconds since 1970. */
  readonly now: () => number
  /** Whether everything in it can be made again: then tables that are not as expected are damage, too. */
  readonly isDerived?: boolean
  /** Called with the new path of a damaged database. */
  readonly onQuarantine: (path: string) => void
  /**
   * Called where the file cannot be made or written, as on a full disk: the database is in memory then, with nothing of what the file has, until it
   * is closed. Default: that is an error.
   */
  readonly onUnwritable?: ((error: Error) => void) | undefined
}

const IN_MEMORY = ":memory:"

/**
 * A database file that several processes write: opened when it is first needed, and repaired when it is damaged. Damaged indexes are
 * rebuilt; a file that SQLite cannot read is renamed, and a new one is created at its path.
 */
export class DatabaseFile<Connection extends SqliteConnection> {
  readonly #options: DatabaseFileOptions<Connection>
  #opening: Promise<Connection> | undefined
  #identity: string | undefined
  #isClosed = false
  #closing: Promise<void> | undefined
  #isInMemory = false
  #replaced = 0

  constructor(options: DatabaseFileOptions<Connection>) {
    this.#options = options
  }

  /**
   * Runs work that only reads, is a transaction, or is idempotent. If it fails because of a lock or a damaged file, it is run again.
   * @throws StorageError for errors of SQLite
   */
  async use<Result>(operation: string, work: (connection: Connection) => Result | Promise<Result>): Promise<Result> {
    try {
      return await this.#attempt(work)
    } catch (error) {
      throw toStorageError(error, this.#options.what, this.#options.path, operation)
    }
  }

  /** How often a new file, or memory, took the place of one that was damaged or cannot be written: it has nothing of what was stored. */
  get replaced(): number {
    return this.#replaced
  }

  /** Of several calls, one closes it: `node:sqlite` refuses a second time. */
  close(): Promise<void> {
    this.#isClosed = true
    this.#closing ??= this.#closeOpened()
    return this.#closing
  }

  async #closeOpened(): Promise<void> {
    const [opened] = await Promise.allSettled([this.#opening])
    this.#opening = undefined
    if (opened.status === "fulfilled") opened.value?.close()
  }

  async #attempt<Result>(work: (connection: Connection) => Result | Promise<Result>): Promise<Result> {
    this.#assertOpen()
    this.#opening ??= this.#open()
    const opening = this.#opening
    try {
      return await this.#once(opening, work)
    } catch (error) {
      const isFull = this.#options.onUnwritable !== undefined && isUnwritten(error) && !this.#isInMemory
      if (!isFull && !this.#isDamaged(error)) throw error
      // If several calls find the fault, the first cures it.
      if (this.#opening === undefined || this.#opening === opening)
        this.#opening = isFull ? this.#leave(opening, error) : this.#replace(opening, error)
      return this.#once(this.#opening, work)
    }
  }

  async #once<Result>(
    opening: Promise<Connection>,
    work: (connection: Connection) => Result | Promise<Result>,
  ): Promise<Result> {
    const [opened] = await Promise.allSettled([opening])
    this.#assertOpen()
    if (opened.status === "fulfilled") return retryBusy(() => work(opened.value))
    if (this.#opening === opening) this.#opening = undefined
    throw opened.reason
  }

  #isDamaged(error: unknown): boolean {
    return isDamaged(error) || (this.#options.isDerived === true && sqliteCode(error) === "SQLITE_ERROR")
  }

  #assertOpen(): void {
    if (this.#isClosed) throw this.#options.closed()
  }

  async #open(): Promise<Connection> {
    const { what, loadDriver, open, settle } = this.#options
    const driver = await loadDriver()
    const path = this.#place(what)
    this.#identity = fileIdentity(path)
    const connection = await retryBusy(() => open(driver, path))
    try {
      await settle(connection)
    } catch (error) {
      if (isDamagedIndex(error) && (await this.#isRepaired(connection))) return connection
      connection.close()
      throw error
    }
    return connection
  }

  /** The path of the file, which is made if there is none. */
  #place(what: string): string {
    const { path, onUnwritable } = this.#options
    if (this.#isInMemory) return IN_MEMORY
    try {
      makeFile(path, what)
      return path
    } catch (error) {
      if (onUnwritable === undefined || !isUnwritable(error)) throw error
      onUnwritable(error)
      this.#isInMemory = true
      return IN_MEMORY
    }
  }

  /** Goes on in memory. */
  async #leave(opening: Promise<Connection>, fault: Error): Promise<Connection> {
    const [opened] = await Promise.allSettled([opening])
    if (opened.status === "fulfilled") opened.value.close()
    this.#options.onUnwritable?.(fault)
    this.#isInMemory = true
    this.#replaced++
    return this.#open()
  }

  async #replace(opening: Promise<Connection>, damage: unknown): Promise<Connection> {
    const [opened] = await Promise.allSettled([opening])
    if (opened.status === "fulfilled") {
      if (isDamagedIndex(damage) && (await this.#isRepaired(opened.value))) return opened.value
      opened.value.close()
    }
    const { path, now, onQuarantine } = this.#options
    const movedTo = quarantine(path, this.#identity, now())
    if (movedTo !== undefined) onQuarantine(movedTo)
    this.#replaced++
    return this.#open()
  }

  async #isRepaired(connection: Connection): Promise<boolean> {
    try {
      return await this.#options.repair(connection)
    } catch (error) {
      if (!isDamaged(error)) throw error
      return false
    }
  }
}

/** @throws StorageError for a pipe or a device: to open one can wait for ever, and Ctrl-C does not end that */
function requireNoDevice(path: string, what: string): void {
  const stat = statSync(path, { throwIfNoEntry: false })
  if (!stat || stat.isFile() || stat.isDirectory()) return
  const data = { key: path, operation: "open", errno: undefined }
  throw new TreelogError("StorageError", `${what} ${path} cannot be used: it is a pipe or a device.`, data)
}

function isUnwritable(error: unknown): error is Error {
  const code = error instanceof Error && "code" in error ? error.code : undefined
  // Where all is mounted for reading only, Node reports a folder that it is to make as one that is missing.
  return ["EACCES", "EPERM", "EROFS", "ENOENT", "ENOTDIR", "EEXIST", "ENOSPC", "EDQUOT"].includes(String(code))
}

/** What SQLite says where there is no room for the file, its log, or the memory that processes share. */
function isUnwritten(error: unknown): error is Error {
  return /^SQLITE_(?:FULL|IOERR)/.test(sqliteCode(error) ?? "")
}

/** Creates the file and its folder, accessible only to this user; SQLite gives its other files the same mode. */
function makeFile(path: string, what: string): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  requireNoDevice(path, what)
  closeSync(openSync(path, "a", 0o600))
}

/** The files of SQLite beside a database. */
const COMPANIONS = ["-wal", "-shm"]

/** The identity of the file at a path; undefined if there is none. */
function fileIdentity(path: string): string | undefined {
  const stat = statSync(path, { throwIfNoEntry: false })
  return stat && `${stat.dev}:${stat.ino}`
}

/**
 * Renames a damaged database, so that a new one can be created at its path. Does nothing if another process has done so: the file at
 * the path then has another identity.
 * @returns the new path, or undefined if nothing was renamed
 */
function quarantine(path: string, identity: string | undefined, now: number): string | undefined {
  if (identity === undefined || fileIdentity(path) !== identity) return undefined
  const stamp = new Date(now).toISOString().replace(/[:.]/g, "-")
  let target = `${path}.corrupt-${stamp}`
  for (let number = 2; existsSync(target); number++) target = `${path}.corrupt-${stamp}.${number}`
  renameSync(path, target)
  for (const companion of COMPANIONS) if (existsSync(path + companion)) renameSync(path + companion, target + companion)
  return target
}
