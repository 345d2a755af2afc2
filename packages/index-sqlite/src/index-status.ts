import { statSync } from "node:fs"
import type { SqliteConnection } from "@treelog-internal/sqlite"

/** What an index has of its sources, for people. */
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

/** @param sources by their names */
export function statusOf(connection: SqliteConnection, sources: readonly string[], driver: string): IndexStatus {
  const { path } = connection
  const counts = connection.sql(`
    WITH own AS (
      SELECT session.n FROM session JOIN source ON source.n = session.source WHERE name IN (SELECT value FROM json_each(?))
    )
    SELECT (SELECT count(*) FROM own) AS sessions, count(*) AS entries, CAST(total(texts) AS INTEGER) AS texts
    FROM entry WHERE session IN (SELECT n FROM own)`)
  return {
    driver,
    path,
    bytes: [path, `${path}-wal`].reduce((sum, file) => sum + (statSync(file, { throwIfNoEntry: false })?.size ?? 0), 0),
    ...(counts.get<Pick<IndexStatus, "sessions" | "entries" | "texts">>(JSON.stringify(sources)) ?? NOTHING),
  }
}

const NOTHING = { sessions: 0, entries: 0, texts: 0 }
