import { setImmediate as nextTurn } from "node:timers/promises"
import { isBusy, retryBusy } from "@treelog-internal/sqlite"
import type { Connection } from "../database/connection.js"
import { rebuildIndex } from "../schema/reindex.js"
import { addRows, lastPosition } from "./add-rows.js"
import { countChanges, countIndexed, isNewest, newerRows, waitingIds, waitingRows } from "./changes.js"
import { removeChangedRows, removeRowsToMove } from "./remove-rows.js"

/** Rows that are indexed or moved in one transaction, during which other writers wait. */
const CHUNK = 8000

/** If more than this share of all rows would have to move, rebuilding the index is faster. */
const MOST_MOVED = 1 / 3

/**
 * Indexes the changed rows in the running transaction, if they are few.
 * @returns false if they are many, which is left to `indexAllChanges`
 */
export function indexFewChanges(connection: Connection): boolean {
  // Positions are not reused here: FTS5 loses entries if a row id is removed and added again before it flushes.
  const last = lastPosition(connection)
  if (countChanges(connection, CHUNK + 1) > CHUNK || !removeNewerRows(connection)) return false
  addRows(connection, waitingRows(connection, waitingIds(connection)), last)
  return true
}

/** Indexes the few rows that other programs changed, if any, unless one of them is writing. */
export function catchUp(connection: Connection): void {
  if (connection.access === "read" || countChanges(connection, 1) === 0) return
  try {
    connection.transaction(() => indexFewChanges(connection))
  } catch (error) {
    if (!isBusy(error)) throw error
  }
}

/**
 * Indexes all changed rows, oldest first, in several transactions without blocking the process.
 * @param onProgress called repeatedly with the number of remaining rows
 */
export async function indexAllChanges(
  connection: Connection,
  onProgress: (left: number) => void = () => {},
): Promise<void> {
  const next = async (work: () => boolean) => {
    const isDone = await retryBusy(() => connection.transaction(work))
    await nextTurn()
    return isDone
  }
  while (countChanges(connection, 1) > 0) {
    while (!(await next(() => removeNewerRows(connection))));
    const ids = waitingIds(connection)
    for (let at = 0; at < ids.length; at += CHUNK) {
      if (!(await next(() => indexChunk(connection, ids.slice(at, at + CHUNK))))) break
      onProgress(Math.max(0, ids.length - at - CHUNK))
    }
  }
}

/** Indexes rows, unless other processes have indexed some of them or newer ones. @returns whether it did */
function indexChunk(connection: Connection, ids: readonly number[]): boolean {
  const rows = waitingRows(connection, ids)
  if (rows[0] !== undefined && !isNewest(connection, rows[0].id)) return false
  addRows(connection, rows)
  return true
}

/** Removes indexed rows that are newer than the oldest row to index. @returns whether all are removed */
function removeNewerRows(connection: Connection): boolean {
  removeChangedRows(connection)
  const [first] = waitingIds(connection, 1)
  if (first === undefined || isNewest(connection, first)) return true
  const newer = newerRows(connection, first, CHUNK + 1)
  if (newer.length <= CHUNK) removeRowsToMove(connection, newer)
  else if (isMuch(connection, first)) rebuildIndex(connection.db)
  else removeRowsToMove(connection, newer.slice(0, CHUNK))
  return newer.length <= CHUNK
}

function isMuch(connection: Connection, first: number): boolean {
  const most = Math.ceil(countIndexed(connection) * MOST_MOVED)
  return newerRows(connection, first, most + 1).length > most
}
