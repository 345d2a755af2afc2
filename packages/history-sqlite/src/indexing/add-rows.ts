import { textHash } from "@treelog-internal/sqlite"
import type { Connection } from "../database/connection.js"
import { FEW_TO_MOVE } from "./deferred-deletes.js"
import { type IndexedText, TokenChanges } from "./token-changes.js"

/** A row of `history` to index. */
export interface NewRow extends IndexedText {
  readonly id: number
}

/**
 * Indexes rows that are newer than all indexed ones, oldest first.
 * @param after the position after which theirs start
 */
export function addRows(connection: Connection, rows: readonly NewRow[], after = lastPosition(connection)): void {
  const changes = new TokenChanges(connection)
  const insert = connection.sql("INSERT INTO treelog_row(id, hash, position, head) VALUES (?, ?, ?, ?)")
  const forget = connection.sql("DELETE FROM treelog_change WHERE id = ?")
  const newestOf = new Map(rows.map((row) => [identity(row), row.id]))
  const heads = new Set(newestOf.values())
  let position = after
  for (const row of rows) {
    const hash = textHash(identity(row))
    const isHead = heads.has(row.id)
    position++
    if (isHead) {
      const tokens = changes.tokensOf(row)
      const former = demoteHead(connection, hash, row)
      if (former !== undefined) changes.remove(former, tokens)
      changes.put(position, tokens)
    }
    insert.run(row.id, hash, position, isHead ? 1 : 0)
    forget.run(row.id)
  }
  changes.make(FEW_TO_MOVE)
}

function identity({ prompt, cwd }: NewRow): string {
  return `${cwd ?? ""}\0${prompt}`
}

/** The highest position, which is always that of a head: the newest row is the newest of its text. */
export function lastPosition(connection: Connection): number {
  const last = connection.sql("SELECT max(position) AS position FROM treelog_row WHERE head = 1")
  return last.get<{ position: number | null }>()?.position ?? 0
}

/** Makes the head of a text in a folder an ordinary row. @returns its position, if there is one */
function demoteHead(connection: Connection, hash: number, { prompt, cwd }: NewRow): number | undefined {
  const heads = connection.sql("SELECT id, position FROM treelog_row WHERE hash = ? AND head = 1")
  const same = connection.sql("SELECT 1 FROM history WHERE id = ? AND prompt = ? AND cwd IS ?")
  const former = heads
    .all<{ id: number; position: number }>(hash)
    .find(({ id }) => same.get(id, prompt, cwd) !== undefined)
  if (former !== undefined) connection.sql("UPDATE treelog_row SET head = 0 WHERE id = ?").run(former.id)
  return former?.position
}
