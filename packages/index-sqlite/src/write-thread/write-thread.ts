// The thread of an update that reads much (`start-write-thread.ts`): writes each message, a list of changes, in one transaction.
import { type MessagePort, parentPort, workerData } from "node:worker_threads"
import { type SqliteConnection, sqliteCode } from "@treelog-internal/sqlite"
import { loadDriver } from "../load-driver.js"
import { openIndex } from "../open-index.js"
import type { PackedChanges } from "../tables/packed-changes.js"
import { WordRows } from "../tables/word-rows.js"
import { writeChanges } from "../tables/write-changes.js"
import type { ThreadFault } from "./start-write-thread.js"

const port = parentPort as MessagePort
const words = new WordRows()
const driver = await loadDriver()
let opened: SqliteConnection | undefined

port.on("message", (changes: PackedChanges | null) => {
  if (changes === null) {
    opened?.close()
    port.close()
    return
  }
  port.postMessage(write(changes))
})

/** After a fault the database is opened anew: the other thread may put another one in its place. */
function write(changes: PackedChanges): ThreadFault | undefined {
  try {
    opened ??= openIndex(driver, workerData)
    writeChanges(opened, words, changes)
    return undefined
  } catch (error) {
    opened?.close()
    opened = undefined
    // Any other error ends the thread.
    if (sqliteCode(error) === undefined) throw error
    const { message, code, errcode } = error as ThreadFault
    return { message, code, errcode }
  }
}
