import { inTransaction, type SqliteDatabase } from "@treelog-internal/sqlite"
import { historyShape } from "./history-shape.js"
import { rebuildIndex, rebuildWords } from "./reindex.js"
import { DELETED, HISTORY, HISTORY_INDEXES, INDEX, WORDS } from "./tables.js"
import { ensureTriggers, hasTriggers } from "./triggers.js"
import { readVersion, writeVersion } from "./version.js"

type Migration = (db: SqliteDatabase) => void

/** In the order of their numbers, from 1. None changes rows of `history`. */
const MIGRATIONS: readonly Migration[] = [makeIndexes]

export const SCHEMA_VERSION = MIGRATIONS.length

/**
 * Migrates a file of any program to the newest schema, in one transaction.
 */
export function migrateSchema(db: SqliteDatabase): void {
  // Most files are current, which can be checked without a lock.
  if (hasOurIndexes(db)) return
  inTransaction(db, () => {
    const { ours, number } = readVersion(db)
    if (number >= SCHEMA_VERSION) return repairTriggers(db)
    for (const migration of MIGRATIONS.slice(number)) migration(db)
    writeVersion(db, ours, SCHEMA_VERSION)
  })
}

/** Whether a file has the newest schema. */
export function hasOurIndexes(db: SqliteDatabase): boolean {
  const { number, newerOfOthers } = readVersion(db)
  return number === SCHEMA_VERSION && !newerOfOthers && hasTriggers(db)
}

/** Restores the triggers, which omp drops when it rebuilds the table. No changes were recorded meanwhile, so all rows are indexed again. */
function repairTriggers(db: SqliteDatabase): void {
  if (!ensureTriggers(db)) return
  completeHistory(db)
  db.exec(WORDS)
  rebuildWords(db)
  rebuildIndex(db)
}

function makeIndexes(db: SqliteDatabase): void {
  completeHistory(db)
  db.exec(WORDS + INDEX + DELETED)
  ensureTriggers(db)
  rebuildWords(db)
  rebuildIndex(db)
}

/** Adds the columns that a table of another program lacks. */
function completeHistory(db: SqliteDatabase): void {
  db.exec(HISTORY)
  const { columns } = historyShape(db)
  for (const column of ["cwd", "session_id"])
    if (!columns.has(column)) db.exec(`ALTER TABLE history ADD COLUMN ${column} TEXT`)
  db.exec(HISTORY_INDEXES)
}
