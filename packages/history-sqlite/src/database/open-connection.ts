import { closeSync, mkdirSync, openSync } from "node:fs"
import { dirname } from "node:path"
import { TreelogError } from "@treelog/session-core"
import type { SqliteDatabase, SqliteDriver } from "../driver/sqlite-driver.js"
import { historyShape } from "../schema/history-shape.js"
import { hasOurIndexes, migrateSchema, SCHEMA_VERSION } from "../schema/migrate-schema.js"
import { readVersion } from "../schema/version.js"
import { Connection, type FileState } from "./connection.js"
import { BLOCKING_WAIT } from "./retry-busy.js"

/** The page cache; negative numbers are KiB. */
export const CACHE = "PRAGMA cache_size = -32768;"

/**
 * Settings of each connection. `secure_delete` overwrites deleted content, and sorting in memory leaves no copies in files.
 */
const PRAGMAS = `
PRAGMA synchronous = NORMAL;
PRAGMA secure_delete = ON;
PRAGMA temp_store = MEMORY;
${CACHE}`

/**
 * Opens the database for writing. Creates or migrates it if necessary; a newer schema is not changed. Errors are SQLite's own.
 */
export function openConnection(Driver: SqliteDriver, path: string): Connection {
  const db = new Driver(path, { timeout: BLOCKING_WAIT })
  return connected(db, path, () => (isNewer(db) ? stateToRead(db, path) : stateToWrite(db, path)))
}

/** Opens a copy of the database in memory for reading. */
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
 * Creates the file and its folder, accessible only to this user; SQLite gives its other files the same mode.
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

/** Rejects databases of other programs: with a table `history` of another form, or only with other tables. */
function assertHistory(db: SqliteDatabase, path: string): void {
  const { columns } = historyShape(db)
  if (columns.size === 0 && readVersion(db).ours) return
  if (["id", "prompt", "created_at"].every((column) => columns.has(column))) return
  const data = { key: path, operation: "open", errno: undefined }
  throw new TreelogError("StorageError", `${path} is a database, but not of a prompt history.`, data)
}
