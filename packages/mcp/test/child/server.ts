// Serves the sessions of a folder: `agentDir` and the `cwd` that may be seen, or none.
import { SessionManager } from "@treelog/session-core"
import { MemorySessionIndex } from "@treelog/session-core/search"
import { FileSessionStorage } from "@treelog/storage-fs"
import { serveOverStdio } from "../../src/index.js"

const [agentDir = "", cwd] = process.argv.slice(2)
const storage = new FileSessionStorage({ agentDir, cacheDir: null })
const sessions = new SessionManager({ storage })
await serveOverStdio({ sessions, index: new MemorySessionIndex(storage, { agent: "pi" }), cwd, version: "1.2.3" })
