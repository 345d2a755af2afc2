// Opens a session for itself alone, says so, and holds it.
import { writeSync } from "node:fs"
import { openSync } from "@treelog/session-core/sync"
import { managerIn, say } from "../store.js"

const [folder = "", key = ""] = process.argv.slice(2)
const session = openSync(managerIn(folder), key, { cwd: "/torture" })
say(session, "held")
await session.flush()
writeSync(1, "held\n")
setInterval(() => undefined, 1000)
