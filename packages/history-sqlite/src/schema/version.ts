import { pragma, type SqliteDatabase } from "@treelog-internal/sqlite"

// A file of ours has our application id, and the version of its schema in `user_version`. In a file of xcsh or omp, that number is
// theirs (omp rebuilds its table by it), so ours is in a separate table.

/** "trlg" */
const APPLICATION_ID = 0x74726c67
/** The highest known `user_version` of omp. */
const NEWEST_OF_OTHERS = 1

export interface SchemaVersion {
  /** Whether treelog created the file. */
  readonly ours: boolean
  /** The version of our schema; 0 if it has none. */
  readonly number: number
  /** Whether xcsh or omp have a newer schema than this library knows. */
  readonly newerOfOthers: boolean
}

export function readVersion(db: SqliteDatabase): SchemaVersion {
  const userVersion = Number(pragma(db, "user_version"))
  const isFresh = db.prepare("SELECT 1 FROM sqlite_schema LIMIT 1").get() === undefined
  if (isFresh || pragma(db, "application_id") === APPLICATION_ID)
    return { ours: true, number: userVersion, newerOfOthers: false }
  return { ours: false, number: versionBeside(db), newerOfOthers: userVersion > NEWEST_OF_OTHERS }
}

export function writeVersion(db: SqliteDatabase, ours: boolean, number: number): void {
  if (ours) db.exec(`PRAGMA application_id = ${APPLICATION_ID}; PRAGMA user_version = ${number}`)
  else
    db.exec(`CREATE TABLE IF NOT EXISTS treelog_schema (version INTEGER NOT NULL); DELETE FROM treelog_schema;
      INSERT INTO treelog_schema VALUES (${number})`)
}

function versionBeside(db: SqliteDatabase): number {
  const table = db.prepare("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'treelog_schema'").get()
  if (table === undefined) return 0
  return db.prepare("SELECT version FROM treelog_schema").get<{ version: number }>()?.version ?? 0
}
