// Appends to a session that others append to, and prints each entry's id when it was acknowledged. A session that was replaced
// under it is read again by retry().
import { writeSync } from "node:fs"
import { isTreelogError } from "@treelog/session-core"
import { sleep } from "../children.js"
import { managerIn, say } from "../store.js"

const [folder = "", key = "", count = "1", name = ""] = process.argv.slice(2)
const session = await managerIn(folder).open(key, { access: "shared", busyTimeoutMs: 300_000 })
for (let turn = 0; turn < Number(count); turn++) {
  const id = say(session, `${name} ${turn}`)
  await acknowledged()
  writeSync(1, `${id}\n`)
}
await session.close()

async function acknowledged(): Promise<void> {
  try {
    await session.flush()
  } catch (error) {
    if (!isTreelogError(error, "PersistError")) throw error
    await retried()
  }
}

async function retried(): Promise<void> {
  for (;;) {
    try {
      await session.retry()
      return
    } catch (error) {
      // Replaced once more, or held by the one who replaces it.
      const { cause }: { cause?: unknown } = error as Error
      if (!isTreelogError(cause, "SessionChangedError") && !isTreelogError(cause, "SessionBusyError")) throw error
      await sleep(2)
    }
  }
}
