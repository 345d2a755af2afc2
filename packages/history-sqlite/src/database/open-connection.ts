import { closeSync, mkdirSync, openSync } from "node:fs"
import { dirname } from "node:path"
import { TreelogError } from "@treelog/session-core"
import type { SqliteDatabase, SqliteDriver } from "../driver/sqlite-driver.js"
import { historyShape } from "../schema/history-shape.js"
import { migrateSchema, SCHEMA_VERSION } from "../schema/migrate-schema.js"
import { readVersion } from "../schema/version.js"
import { Connection } from "./connection.js"
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
 * Opens the database, made or migrated where it has to be; for reading only where its schema is newer than this
 * library. Faults are SQLite's own.
 */
export function openConnection(Driver: SqliteDriver, path: string): Connection {
  const db = new Driver(path, { timeout: BLOCKING_WAIT })
  try {
    if (isNewer(db)) return openToRead(Driver, path, db)
    db.pragma("journal_mode = WAL", { simple: true })
    db.exec(PRAGMAS)
    assertHistory(db, path)
    migrateSchema(db)
    return new Connection(db, path, "write", historyShape(db))
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

function openToRead(Driver: SqliteDriver, path: string, writable: SqliteDatabase): Connection {
  writable.close()
  const db = new Driver(path, { readonly: true, timeout: BLOCKING_WAIT })
  assertHistory(db, path)
  return new Connection(db, path, "read", historyShape(db))
}

/** A database with a table `history` of some other kind, or with other tables alone, is not ours to fill. */
function assertHistory(db: SqliteDatabase, path: string): void {
  const { columns } = historyShape(db)
  if (columns.size === 0 && readVersion(db).ours) return
  if (["id", "prompt", "created_at"].every((column) => columns.has(column))) return
  const data = { key: path, operation: "open", errno: undefined }
  throw new TreelogError("StorageError", `${path} is a database, but not of a prompt history.`, data)
}
