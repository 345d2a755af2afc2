import { closeSync, mkdirSync, openSync } from "node:fs"
import { dirname } from "node:path"
import { TreelogError } from "@treelog/session-core"
import type { SqliteDatabase, SqliteDriver } from "../driver/sqlite-driver.js"
import { historyShape } from "../schema/history-shape.js"
import { hasOurIndexes, migrateSchema, SCHEMA_VERSION } from "../schema/migrate-schema.js"
import { readVersion } from "../schema/version.js"
import { Connection, type FileState } from "./connection.js"
import { BLOCKING_WAIT } from "./retry-busy.js"

/** In KiB. */
export const CACHE = "PRAGMA cache_size = -32768;"

/**
 * What each connection sets. `secure_delete` overwrites what is deleted, and sorting in memory leaves no copies in
 * files.
 */
const PRAGMAS = `
PRAGMA synchronous = NORMAL;
PRAGMA secure_delete = ON;
PRAGMA temp_store = MEMORY;
${CACHE}`

/**
 * Opens the database to write. It is made or migrated where it has to be; where its schema is newer than this library,
 * it stays as it is. Faults are SQLite's own.
 */
export function openConnection(Driver: SqliteDriver, path: string): Connection {
  const db = new Driver(path, { timeout: BLOCKING_WAIT })
  return connected(db, path, () => (isNewer(db) ? stateToRead(db, path) : stateToWrite(db, path)))
}

/** Opens a copy of the database in memory, to read it. */
export function openCopy(Driver: SqliteDriver, bytes: Buffer, path: string): Connection {
  const db = new Driver(bytes)
  return connected(db, path, () => stateToRead(db, path))
}

function connected(db: SqliteDatabase, path: string, state: () => FileState): Connection {
  try {
    return new Connection(db, path, state())
  } catch (error) {
    db.close()
    throw error
  }
}

/**
 * The first to open it makes the file and its folder, for this user alone; SQLite gives its other files the same
 * mode.
 */
export function makeFile(path: string): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  closeSync(openSync(path, "a", 0o600))
}

function isNewer(db: SqliteDatabase): boolean {
  const { number, newerOfOthers } = readVersion(db)
  return newerOfOthers || number > SCHEMA_VERSION
}

function stateToWrite(db: SqliteDatabase, path: string): FileState {
  db.pragma("journal_mode = WAL", { simple: true })
  db.exec(PRAGMAS)
  assertHistory(db, path)
  migrateSchema(db)
  return { access: "write", isIndexed: true, shape: historyShape(db) }
}

function stateToRead(db: SqliteDatabase, path: string): FileState {
  db.exec(`PRAGMA query_only = ON; ${CACHE}`)
  assertHistory(db, path)
  return { access: "read", isIndexed: hasOurIndexes(db), shape: historyShape(db) }
}

/** A database with a table `history` of some other kind, or with other tables alone, is not ours to fill. */
function assertHistory(db: SqliteDatabase, path: string): void {
  const { columns } = historyShape(db)
  if (columns.size === 0 && readVersion(db).ours) return
  if (["id", "prompt", "created_at"].every((column) => columns.has(column))) return
  const data = { key: path, operation: "open", errno: undefined }
  throw new TreelogError("StorageError", `${path} is a database, but not of a prompt history.`, data)
}
