import type { Connection } from "../database/connection.js"

// FTS5 takes an entry out of an index in one of two ways. With its option `secure-delete`, it goes at once from wherever it
// is, which takes 10 ms for a prompt among a million. Without, it is marked as deleted, which takes no longer than to
// index it, and both the entry and its mark stay until all of the index is merged, which takes seconds there. So the
// option tells what an index is like: while it is on, nothing is left in it of what was taken out.

/** So many that only leave their places, while many rows are indexed, go at once. */
export const FEW_TO_MOVE = 20
/** So many that are deleted go at once: about as many as take as long as merging a million. */
export const FEW_TO_REMOVE = 400

export const TEXT_INDEXES = ["history_fts", "treelog_gram"] as const

export type TextIndex = (typeof TEXT_INDEXES)[number]

/** From here on, what is taken out of the index is marked, until all of it is merged. */
export function deferDeletes(connection: Connection, index: TextIndex): void {
  if (!mayHoldDeleted(connection, index)) removeAtOnce(connection, index, 0)
}

/** Ends that, where nothing that was marked is left. */
export function endDeferredDeletes(connection: Connection, index: TextIndex): void {
  removeAtOnce(connection, index, 1)
}

/** Whether the index may still hold something of what was taken out. */
export function mayHoldDeleted(connection: Connection, index: TextIndex): boolean {
  const option = connection.sql(`SELECT v FROM ${index}_config WHERE k = 'secure-delete'`)
  return option.get<{ v: number }>()?.v !== 1
}

function removeAtOnce(connection: Connection, index: TextIndex, value: 0 | 1): void {
  // Not as a parameter: drivers give numbers as floats, which FTS5 does not take here.
  connection.sql(`INSERT INTO ${index}(${index}, rank) VALUES ('secure-delete', ${value})`).run()
}
