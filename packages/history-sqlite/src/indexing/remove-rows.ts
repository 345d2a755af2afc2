import type { Connection } from "../database/connection.js"
import { FEW_TO_MOVE } from "./deferred-deletes.js"
import { type IndexedText, TokenChanges } from "./token-changes.js"

/** An indexed row, with its indexed text. */
export interface IndexedRow extends IndexedText {
  readonly id: number
  readonly hash: number
  readonly position: number
  readonly head: number
}

/**
 * Removes changed rows from the index, and the change records of deleted rows.
 * @param mostAtOnce if there are more rows, their deletion is deferred
 */
export function removeChangedRows(connection: Connection, mostAtOnce = FEW_TO_MOVE): void {
  const changed = connection.sql(`
    SELECT row.id, hash, position, head, change.prompt, change.cwd
    FROM treelog_change AS change CROSS JOIN treelog_row AS row ON row.id = change.id WHERE change.prompt IS NOT NULL`)
  removeRows(connection, changed.all<IndexedRow>(), mostAtOnce)
  connection
    .sql("DELETE FROM treelog_change WHERE NOT EXISTS (SELECT 1 FROM history WHERE history.id = treelog_change.id)")
    .run()
}

/** Removes unchanged rows, to index them after others. */
export function removeRowsToMove(connection: Connection, rows: readonly IndexedRow[]): void {
  const note = connection.sql("INSERT INTO treelog_change(id) VALUES (?)")
  for (const { id } of rows) note.run(id)
  removeRows(connection, rows, FEW_TO_MOVE)
}

/** If a removed row is a head, the next newest row of the same prompt and folder becomes one. */
function removeRows(connection: Connection, rows: readonly IndexedRow[], mostAtOnce: number): void {
  const changes = new TokenChanges(connection)
  for (const row of rows) {
    connection.sql("DELETE FROM treelog_row WHERE id = ?").run(row.id)
    if (row.head === 0) continue
    const tokens = changes.tokensOf(row)
    changes.remove(row.position, tokens)
    const next = nextHead(connection, row)
    if (next === undefined) continue
    connection.sql("UPDATE treelog_row SET head = 1 WHERE id = ?").run(next.id)
    changes.put(next.position, tokens)
  }
  changes.make(mostAtOnce)
}

/** Skips changed rows, which will be removed too. */
function nextHead(connection: Connection, { hash, prompt, cwd }: IndexedRow): IndexedRow | undefined {
  return connection
    .sql(`
      SELECT row.id, row.position FROM treelog_row AS row JOIN history ON history.id = row.id
      WHERE row.hash = ? AND row.head = 0 AND history.prompt = ? AND history.cwd IS ?
        AND NOT EXISTS (SELECT 1 FROM treelog_change WHERE id = row.id)
      ORDER BY row.position DESC LIMIT 1`)
    .get<IndexedRow>(hash, prompt, cwd)
}
