import type { Connection } from "../database/connection.js"

// FTS5 deletes an index entry in one of two ways. With its option `secure-delete`, it removes the entry at once, which takes 10 ms for
// a prompt among a million. Without, it adds a delete marker, which is as fast as indexing, and both entry and marker stay until the
// whole index is merged, which takes seconds. The option therefore also records the state of an index: while it is on, the index
// contains nothing of deleted rows.

/** Up to this many rows that move within the index are removed at once. */
export const FEW_TO_MOVE = 20
/** Up to this many deleted rows are removed at once: about as many as take as long as merging a million. */
export const FEW_TO_REMOVE = 400

export const TEXT_INDEXES = ["history_fts", "treelog_gram"] as const

export type TextIndex = (typeof TEXT_INDEXES)[number]

/** From now on, deletions only add markers, until the whole index is merged. */
export function deferDeletes(connection: Connection, index: TextIndex): void {
  if (!mayHoldDeleted(connection, index)) removeAtOnce(connection, index, 0)
}

/** Ends deferred deletes, after the whole index was merged. */
export function endDeferredDeletes(connection: Connection, index: TextIndex): void {
  removeAtOnce(connection, index, 1)
}

/** Whether the index may still contain entries of deleted rows. */
export function mayHoldDeleted(connection: Connection, index: TextIndex): boolean {
  const option = connection.sql(`SELECT v FROM ${index}_config WHERE k = 'secure-delete'`)
  return option.get<{ v: number }>()?.v !== 1
}

function removeAtOnce(connection: Connection, index: TextIndex, value: 0 | 1): void {
  // Not as a parameter: drivers pass numbers as floats, which FTS5 rejects here.
  connection.sql(`INSERT INTO ${index}(${index}, rank) VALUES ('secure-delete', ${value})`).run()
}
