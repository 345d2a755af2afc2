import { setImmediate as nextTurn } from "node:timers/promises"
import type { Connection } from "../database/connection.js"
import { retryBusy } from "../database/retry-busy.js"
import { isBusy } from "../database/sqlite-fault.js"
import { rebuildIndex } from "../schema/index-anew.js"
import { addRows, lastPosition } from "./add-rows.js"
import { countChanges, countIndexed, isNewest, newerRows, waitingIds, waitingRows } from "./changes.js"
import { removeChangedRows, removeRowsToMove } from "./remove-rows.js"

/** Rows that are indexed or moved in one transaction. Others wait for no more than these. */
const CHUNK = 8000

/** Where more than this part of all rows would have to move, it is quicker to index them all anew. */
const MOST_MOVED = 1 / 3

/**
 * Indexes what changed, in the running transaction, where that is little work.
 * @returns false where it is much: then `indexAllChanges` has something to do
 */
export function indexFewChanges(connection: Connection): boolean {
  // No position is used again here: FTS5 loses entries where a row id is removed and given before it writes that out.
  const last = lastPosition(connection)
  if (countChanges(connection, CHUNK + 1) > CHUNK || !removeNewerRows(connection)) return false
  addRows(connection, waitingRows(connection, waitingIds(connection)), last)
  return true
}

/** Indexes the few rows that other programs changed, if there are any. While one of them writes, they wait. */
export function catchUp(connection: Connection): void {
  if (connection.access === "read" || countChanges(connection, 1) === 0) return
  try {
    connection.transaction(() => indexFewChanges(connection))
  } catch (error) {
    if (!isBusy(error)) throw error
  }
}

/**
 * Indexes all that changed, oldest first, in transactions of its own; other things run in between.
 * @param onProgress told now and then how many rows are left
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

/** Other processes may have indexed some of the rows, or newer ones. @returns whether these still came next */
function indexChunk(connection: Connection, ids: readonly number[]): boolean {
  const rows = waitingRows(connection, ids)
  if (rows[0] !== undefined && !isNewest(connection, rows[0].id)) return false
  addRows(connection, rows)
  return true
}

/** Takes out what has to be indexed after the oldest row that waits. @returns whether that is done */
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
