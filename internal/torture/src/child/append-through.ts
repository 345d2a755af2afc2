// Appends to a session that writes through for ever, and prints each entry's id when the append has returned.

import { writeSync } from "node:fs"
import { openSync } from "@treelog/session-core/sync"
import { sleep } from "../children.js"
import { managerIn, say } from "../store.js"

const [folder = "", key = "", size = "100", access = "shared"] = process.argv.slice(2)
const session = openSync(managerIn(folder), key, {
  access: access === "shared" ? "shared" : "exclusive",
  persist: "append",
  cwd: "/torture",
})
for (let turn = 0; ; turn++) {
  // Several in one turn of the event loop now and then, and now and then a flush.
  for (let index = 0; index <= turn % 4; index++)
    writeSync(1, `${say(session, `${turn}.${index} ${"x".repeat((turn * 7919) % Number(size))}`)}\n`)
  if (turn % 7 === 3) await session.flush()
  else if (turn % 5 === 2) await sleep(0)
}
