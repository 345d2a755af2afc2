import { setTimeout as sleep } from "node:timers/promises"
import { TreelogError } from "@treelog/session-core"
import { mergeMarked } from "../indexing/merge-indexes.js"
import { readVersion } from "../schema/version.js"
import type { Connection } from "./connection.js"
import { retryBusy } from "./retry-busy.js"

/** Milliseconds to wait for readers in other processes. A search takes a few. */
const PATIENCE = 10_000

/**
 * Leaves nothing of deleted rows in the files. The log goes into the database, where `secure_delete` wrote over them,
 * and is emptied. Programs without that setting leave copies in free space: a file of theirs is written anew.
 * @throws StorageError when another process reads all the while: the rows are deleted then, but not yet from the log
 */
export async function eraseTraces(connection: Connection): Promise<void> {
  await mergeMarked(connection)
  if (!readVersion(connection.db).ours) await retryBusy(() => connection.db.exec("VACUUM"))
  for (const start = Date.now(); ; await sleep(20)) {
    const isBusy = connection.db.pragma("wal_checkpoint(TRUNCATE)", { simple: true })
    if (isBusy === 0) return
    if (Date.now() - start > PATIENCE) throw logInUse(connection.path)
  }
}

function logInUse(key: string): TreelogError<"StorageError"> {
  const message = `Deleted from ${key}, but what was deleted stays in its -wal file as long as another process reads it.`
  return new TreelogError("StorageError", message, { key, operation: "checkpoint", errno: "SQLITE_BUSY" })
}
