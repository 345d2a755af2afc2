import { statSync } from "node:fs"
import type { SqliteConnection } from "@treelog-internal/sqlite"

/** What an index has, for people. */
export interface IndexStatus {
  /** The driver of SQLite, such as `better-sqlite3 13.2.0` or `node:sqlite of Node 24.21.0`. */
  readonly driver: string
  /** The path of the database. */
  readonly path: string
  /** Of the database and its log. Bytes. */
  readonly bytes: number
  readonly sessions: number
  readonly entries: number
  readonly texts: number
}

export function statusOf(connection: SqliteConnection, driver: string): IndexStatus {
  const count = (table: string, condition = "true") =>
    connection.sql(`SELECT count(*) AS rows FROM ${table} WHERE ${condition}`).get<{ rows: number }>()?.rows ?? 0
  const { path } = connection
  return {
    driver,
    path,
    bytes: [path, `${path}-wal`].reduce((sum, file) => sum + (statSync(file, { throwIfNoEntry: false })?.size ?? 0), 0),
    sessions: count("session"),
    entries: count("entry"),
    texts: count("text") - count("text", "session = 0"),
  }
}
