// Slims a session: says that it begins, and ends when it is done.

import { writeSync } from "node:fs"
import { slimSession } from "@treelog/session-core/maintenance"
import { picturesIn } from "../picture-session.js"

const [folder = "", path = ""] = process.argv.slice(2)
const sessions = picturesIn(folder)
writeSync(1, "begun\n")
await slimSession(sessions, path)
