import { setImmediate as nextTurn } from "node:timers/promises"
import { retryBusy } from "@treelog-internal/sqlite"
import type { Connection } from "../database/connection.js"
import { endDeferredDeletes, mayHoldDeleted, TEXT_INDEXES, type TextIndex } from "./deferred-deletes.js"

/** Pages of an index that are written in one step, during which other writers wait. */
const PAGES = 1000

/** Merges the indexes that may contain entries of deleted rows, which removes those. */
export async function mergeDeleted(connection: Connection): Promise<void> {
  for (const index of TEXT_INDEXES) await repeat(connection, () => mergeAllStep(connection, index))
}

/** Merges the segments of many added rows, so that no later change has to merge them all. */
export async function mergePieces(connection: Connection): Promise<void> {
  for (const index of TEXT_INDEXES) await repeat(connection, () => mergeStep(connection, index, PAGES))
}

/** Repeats a step, each time in its own transaction, until it returns false. */
async function repeat(connection: Connection, step: () => boolean): Promise<void> {
  while (await retryBusy(() => connection.transaction(step))) await nextTurn()
}

function mergeAllStep(connection: Connection, index: TextIndex): boolean {
  if (!mayHoldDeleted(connection, index)) return false
  // With a negative number of pages, everything is merged to one segment, which removes marked entries and their markers.
  if (mergeStep(connection, index, -PAGES)) return true
  endDeferredDeletes(connection, index)
  return false
}

/** @returns whether there was anything to merge: then FTS5 changes more rows than the command itself */
function mergeStep(connection: Connection, index: TextIndex, pages: number): boolean {
  const count = connection.sql("SELECT total_changes() AS changes")
  const before = count.get<{ changes: number }>()?.changes ?? 0
  connection.sql(`INSERT INTO ${index}(${index}, rank) VALUES ('merge', ?)`).run(pages)
  return (count.get<{ changes: number }>()?.changes ?? 0) - before >= 2
}
