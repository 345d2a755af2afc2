// Opens a session for itself alone, says so, and holds it.
import { writeSync } from "node:fs"
import { managerIn, say } from "../store.js"

const [folder = "", key = ""] = process.argv.slice(2)
const session = await managerIn(folder).open(key, { cwd: "/torture" })
say(session, "held")
await session.flush()
writeSync(1, "held\n")
setInterval(() => undefined, 1000)
