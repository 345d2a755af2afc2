import { inTransaction, type SqliteDatabase } from "@treelog-internal/sqlite"
import { historyShape } from "./history-shape.js"
import { rebuildWords } from "./reindex.js"
import { DELETED, HISTORY, HISTORY_INDEXES, WORDS } from "./tables.js"
import { ensureTriggers, hasTriggers } from "./triggers.js"
import { readVersion, writeVersion } from "./version.js"

export const SCHEMA_VERSION = 1

/**
 * Migrates a file of any program to the newest schema, in one transaction, without changing rows of `history`. Also restores the
 * triggers, which omp drops when it rebuilds the table.
 */
export function migrateSchema(db: SqliteDatabase): void {
  // Most files are current, which can be checked without a lock.
  if (readVersion(db).number === SCHEMA_VERSION && hasTriggers(db)) return
  inTransaction(db, () => {
    const { ours, number } = readVersion(db)
    completeHistory(db)
    db.exec(WORDS)
    ensureTriggers(db)
    rebuildWords(db)
    if (number === SCHEMA_VERSION) return
    db.exec(DELETED)
    writeVersion(db, ours, SCHEMA_VERSION)
  })
}

/** Adds the columns that a table of another program lacks. */
function completeHistory(db: SqliteDatabase): void {
  db.exec(HISTORY)
  const { columns } = historyShape(db)
  for (const column of ["cwd", "session_id"])
    if (!columns.has(column)) db.exec(`ALTER TABLE history ADD COLUMN ${column} TEXT`)
  db.exec(HISTORY_INDEXES)
}
