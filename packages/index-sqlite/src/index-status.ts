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
  const number = (query: string) => connection.sql(`SELECT ${query} AS number`).get<{ number: number }>()?.number ?? 0
  const { path } = connection
  return {
    driver,
    path,
    bytes: [path, `${path}-wal`].reduce((sum, file) => sum + (statSync(file, { throwIfNoEntry: false })?.size ?? 0), 0),
    sessions: number("(SELECT count(*) FROM session)"),
    entries: number("(SELECT count(*) FROM entry WHERE session <> 0)"),
    texts: number("(SELECT total(texts) FROM entry WHERE session <> 0)"),
  }
}
