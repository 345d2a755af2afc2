import { TreelogError } from "@treelog/session-core"
import { CACHE, prepareToWrite, type SqliteDatabase, type SqliteDriver, waitForLocks } from "@treelog-internal/sqlite"
import { historyShape } from "../schema/history-shape.js"
import { migrateSchema, SCHEMA_VERSION } from "../schema/migrate-schema.js"
import { readVersion } from "../schema/version.js"
import { Connection, type FileState } from "./connection.js"

/**
 * Opens the database for writing. Creates or migrates it if necessary; a newer schema is not changed. Errors are SQLite's own.
 */
export function openConnection(driver: SqliteDriver, path: string): Connection {
  const db = driver.open(path)
  return connected(db, path, () => {
    waitForLocks(db)
    return isNewer(db) ? stateToRead(db, path) : stateToWrite(db, path)
  })
}

/** A connection that reads a copy of the database. */
export function connectedToCopy(db: SqliteDatabase, path: string): Connection {
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

function isNewer(db: SqliteDatabase): boolean {
  const { number, newerOfOthers } = readVersion(db)
  return newerOfOthers || number > SCHEMA_VERSION
}

function stateToWrite(db: SqliteDatabase, path: string): FileState {
  prepareToWrite(db)
  // Overwrites deleted content.
  db.exec("PRAGMA secure_delete = ON")
  assertHistory(db, path)
  migrateSchema(db)
  return { access: "write", shape: historyShape(db) }
}

function stateToRead(db: SqliteDatabase, path: string): FileState {
  db.exec(`PRAGMA query_only = ON; ${CACHE}`)
  assertHistory(db, path)
  return { access: "read", shape: historyShape(db) }
}

/** Rejects databases of other programs: with a table `history` of another form, or only with other tables. */
function assertHistory(db: SqliteDatabase, path: string): void {
  const { columns } = historyShape(db)
  if (columns.size === 0 && readVersion(db).ours) return
  if (["id", "prompt", "created_at"].every((column) => columns.has(column))) return
  const data = { key: path, operation: "open", errno: undefined }
  throw new TreelogError("StorageError", `${path} is a database, but not of a prompt history.`, data)
}
