import { setImmediate as nextTurn } from "node:timers/promises"
import type { Connection } from "../database/connection.js"
import { retryBusy } from "../database/retry-busy.js"
import { endDeferredDeletes, mayHoldDeleted, TEXT_INDEXES, type TextIndex } from "./deferred-deletes.js"

/** Pages of an index that are written in one step, while others wait. */
const PAGES = 1000

/** Merges indexes that may hold something of what was taken out, so that they hold nothing of it. */
export async function mergeDeleted(connection: Connection): Promise<void> {
  for (const index of TEXT_INDEXES) await repeat(connection, () => mergeAllStep(connection, index))
}

/** Merges what many rows left in pieces, so that no later change has to do it all at once. */
export async function mergePieces(connection: Connection): Promise<void> {
  for (const index of TEXT_INDEXES) await repeat(connection, () => mergeStep(connection, index, PAGES))
}

/** Does a step, each in a transaction of its own, for as long as it says that there was something to do. */
async function repeat(connection: Connection, step: () => boolean): Promise<void> {
  while (await retryBusy(() => connection.transaction(step))) await nextTurn()
}

function mergeAllStep(connection: Connection, index: TextIndex): boolean {
  if (!mayHoldDeleted(connection, index)) return false
  // A negative number of pages means that everything is to become one segment, which is where marks meet what they mark.
  if (mergeStep(connection, index, -PAGES)) return true
  endDeferredDeletes(connection, index)
  return false
}

/** @returns whether there was anything to merge: FTS5 then changes more than the row that asks it to */
function mergeStep(connection: Connection, index: TextIndex, pages: number): boolean {
  const count = connection.sql("SELECT total_changes() AS changes")
  const before = count.get<{ changes: number }>()?.changes ?? 0
  connection.sql(`INSERT INTO ${index}(${index}, rank) VALUES ('merge', ?)`).run(pages)
  return (count.get<{ changes: number }>()?.changes ?? 0) - before >= 2
}
