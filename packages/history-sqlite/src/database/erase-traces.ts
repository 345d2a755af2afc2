import { setTimeout as sleep } from "node:timers/promises"
import { TreelogError } from "@treelog/session-core"
import { mergeDeleted } from "../indexing/merge-indexes.js"
import { readVersion } from "../schema/version.js"
import type { Connection } from "./connection.js"
import { retryBusy } from "./retry-busy.js"
import { isBusy, sqliteCode } from "./sqlite-fault.js"

/** Milliseconds to wait for readers in other processes. A search takes a few. */
const PATIENCE = 10_000

/**
 * Leaves nothing of deleted rows in the files. The log goes into the database, where `secure_delete` wrote over them,
 * and is emptied. Programs without that setting leave copies in free space: a file of theirs is written anew.
 * @throws StorageError when another process reads all the while: the rows are deleted then, but not yet from the log
 */
export async function eraseTraces(connection: Connection): Promise<void> {
  const last = lastPending(connection)
  await rewritePages(connection)
  for (const start = Date.now(); !emptyLog(connection); await sleep(20))
    if (Date.now() - start > PATIENCE) throw logInUse(connection.path)
  endErasing(connection, last)
}

/**
 * Goes on with what a killed process had not erased, if there is any. Where the log is in use, or the disk is full, the
 * next one to open the file tries again: the database can be used as it is.
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

/** The newest deletion of which something may be left. */
function lastPending({ db }: Connection): number | undefined {
  if (db.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'treelog_erasing'").get() === undefined) return undefined
  return db.prepare("SELECT max(id) AS last FROM treelog_erasing").get<{ last: number | null }>()?.last ?? undefined
}

function endErasing(connection: Connection, last: number | undefined): void {
  if (last === undefined) return
  connection.transaction(() => connection.sql("DELETE FROM treelog_erasing WHERE id <= ?").run(last))
}

async function rewritePages(connection: Connection): Promise<void> {
  await mergeDeleted(connection)
  if (!readVersion(connection.db).ours) await retryBusy(() => connection.db.exec("VACUUM"))
}

/** @returns false where another process reads the log */
function emptyLog(connection: Connection): boolean {
  return connection.db.pragma("wal_checkpoint(TRUNCATE)", { simple: true }) === 0
}

function logInUse(key: string): TreelogError<"StorageError"> {
  const message = `Deleted from ${key}, but what was deleted stays in its -wal file as long as another process reads it.`
  return new TreelogError("StorageError", message, { key, operation: "checkpoint", errno: "SQLITE_BUSY" })
}
