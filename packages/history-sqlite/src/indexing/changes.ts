import type { Connection } from "../database/connection.js"
import type { NewRow } from "./add-rows.js"
import type { IndexedRow } from "./remove-rows.js"

// Rows that changed since they were indexed. A row is older if its (created_at, id) is smaller. The queries use CROSS JOIN, whose
// order SQLite keeps: it must start from the few changes, not from the many rows.

/** The number of changed rows, counted up to `most`. */
export function countChanges(connection: Connection, most: number): number {
  const count = connection.sql("SELECT count(*) AS changes FROM (SELECT 1 FROM treelog_change LIMIT ?)")
  return count.get<{ changes: number }>(most)?.changes ?? 0
}

/** The ids of rows to index, oldest first. */
export function waitingIds(connection: Connection, most = -1): number[] {
  const waiting = connection.sql(`
    SELECT history.id FROM treelog_change CROSS JOIN history ON history.id = treelog_change.id
    ORDER BY history.created_at, history.id LIMIT ?`)
  return waiting.all<{ id: number }>(most).map(({ id }) => id)
}

/** The rows with these ids that are still to be indexed. */
export function waitingRows(connection: Connection, ids: readonly number[]): NewRow[] {
  const waiting = connection.sql(`
    SELECT history.id, history.prompt, history.cwd FROM history JOIN treelog_change ON treelog_change.id = history.id
    WHERE history.id = ? AND NOT EXISTS (SELECT 1 FROM treelog_row WHERE treelog_row.id = history.id)`)
  return ids.map((id) => waiting.get<NewRow>(id)).filter((row) => row !== undefined)
}

/** Whether the row is newer than all indexed rows. */
export function isNewest(connection: Connection, id: number): boolean {
  const comparison = connection.sql(`
    SELECT (row.created_at, row.id) > (last.created_at, last.id) AS newer FROM history AS row, (
      SELECT history.id, history.created_at FROM treelog_row JOIN history ON history.id = treelog_row.id
      WHERE treelog_row.head = 1 ORDER BY treelog_row.position DESC LIMIT 1
    ) AS last WHERE row.id = ?`)
  return comparison.get<{ newer: number }>(id)?.newer !== 0
}

/** The indexed rows that are newer than this one, newest first, at most `most`. */
export function newerRows(connection: Connection, id: number, most: number): IndexedRow[] {
  const newer = connection.sql(`
    SELECT row.id, row.hash, row.position, row.head, history.prompt, history.cwd
    FROM history JOIN treelog_row AS row ON row.id = history.id
    WHERE (history.created_at, history.id) > (SELECT created_at, id FROM history WHERE id = ?)
    ORDER BY history.created_at DESC, history.id DESC LIMIT ?`)
  return newer.all<IndexedRow>(id, most)
}

/** The number of indexed rows. */
export function countIndexed(connection: Connection): number {
  return connection.sql("SELECT count(*) AS indexed FROM treelog_row").get<{ indexed: number }>()?.indexed ?? 0
}
