// Appends to a session for ever, and prints each entry's id when, and only when, it was acknowledged by a flush.
import { writeSync } from "node:fs"
import { openSync } from "@treelog/session-core/sync"
import { managerIn, say } from "../store.js"

const [folder = "", key = "", size = "100"] = process.argv.slice(2)
const session = openSync(managerIn(folder), key, { cwd: "/torture" })
for (let turn = 0; ; turn++) {
  // Several at once now and then, and texts of many sizes: a kill must be able to fall into a large write.
  const ids = Array.from({ length: 1 + (turn % 4) }, (_, index) =>
    say(session, `${turn}.${index} ${"x".repeat((turn * 7919) % Number(size))}`),
  )
  await session.flush()
  writeSync(1, `${ids.join("\n")}\n`)
}
