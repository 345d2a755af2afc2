import { setTimeout as sleep } from "node:timers/promises"
import { TreelogError } from "@treelog/session-core"
import { isBusy, pragma, retryBusy, sqliteCode } from "@treelog-internal/sqlite"
import { readVersion } from "../schema/version.js"
import type { Connection } from "./connection.js"

/** How long to wait for readers in other processes. Milliseconds. */
const PATIENCE = 10_000

/**
 * Erases all traces of deleted rows from the files. Merges the log into the database, where `secure_delete` has overwritten them, and
 * empties it. Programs without that setting leave copies in free space: their files are rewritten with VACUUM.
 * @throws StorageError when other processes keep reading: the rows are then deleted, but not yet erased from the log
 */
export async function eraseTraces(connection: Connection): Promise<void> {
  const last = lastPending(connection)
  await rewritePages(connection)
  for (const start = Date.now(); !emptyLog(connection); await sleep(20))
    if (Date.now() - start > PATIENCE) throw logInUse(connection.path)
  endErasing(connection, last)
}

/**
 * Completes the erasure of a killed process, if there is one. If the log is in use or the disk is full, the next process that opens
 * the file tries again; the database can be used meanwhile.
 */
export async function finishErasing(connection: Connection): Promise<void> {
  const last = lastPending(connection)
  if (last === undefined) return
  try {
    await rewritePages(connection)
    if (emptyLog(connection)) endErasing(connection, last)
  } catch (error) {
    if (!isBusy(error) && sqliteCode(error) !== "SQLITE_FULL") throw error
  }
}

/** The newest deletion that may not be erased completely. */
function lastPending({ db }: Connection): number | undefined {
  if (db.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'treelog_erasing'").get() === undefined) return undefined
  return db.prepare("SELECT max(id) AS last FROM treelog_erasing").get<{ last: number | null }>()?.last ?? undefined
}

function endErasing(connection: Connection, last: number | undefined): void {
  if (last === undefined) return
  connection.transaction(() => connection.sql("DELETE FROM treelog_erasing WHERE id <= ?").run(last))
}

async function rewritePages(connection: Connection): Promise<void> {
  if (!readVersion(connection.db).ours) await retryBusy(() => connection.db.exec("VACUUM"))
}

/** @returns false where another process reads the log */
function emptyLog(connection: Connection): boolean {
  return pragma(connection.db, "wal_checkpoint(TRUNCATE)") === 0
}

function logInUse(key: string): TreelogError<"StorageError"> {
  const message = `Deleted from ${key}, but what was deleted stays in its -wal file as long as another process reads it.`
  return new TreelogError("StorageError", message, { key, operation: "checkpoint", errno: "SQLITE_BUSY" })
}
