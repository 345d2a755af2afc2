// Opens a session by its id, appends to it and closes it, again and again, and prints each entry's id when it was acknowledged.
import { writeSync } from "node:fs"
import { isTreelogError } from "@treelog/session-core"
import { managerIn, say } from "../store.js"

const [folder = "", id = "", count = "1"] = process.argv.slice(2)
const manager = managerIn(folder)
for (let turn = 0; turn < Number(count); turn++) {
  const access = turn % 2 === 0 ? "shared" : "exclusive"
  const session = await manager.open({ id }, { access, busyTimeoutMs: 300_000 }).catch(unlessElsewhere)
  if (!session) continue
  const entry = say(session, `${turn}`)
  const [closed] = await Promise.allSettled([session.close()])
  if (closed.status === "fulfilled") writeSync(1, `${entry}\n`)
  else await session.discard()
}

/** It is being moved, or was: then it is not there at this moment. */
function unlessElsewhere(error: unknown): undefined {
  if (!isTreelogError(error, "SessionBusyError") && !isTreelogError(error, "SessionNotFoundError")) throw error
}
