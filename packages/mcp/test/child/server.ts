// Serves the sessions of a folder: `agentDir` and the `cwd` that may be seen, or none.

import { serveOverStdio } from "@treelog/mcp"
import { SessionManager } from "@treelog/session-core"
import { MemorySessionIndex } from "@treelog/session-core/search"
import { FileSessionStorage } from "@treelog/storage-fs"
import { Library } from "@treelog/stores"

const [agentDir = "", cwd] = process.argv.slice(2)
const storage = new FileSessionStorage({ agentDir, cacheDir: null })
const manager = new SessionManager({ storage, anyFile: true })
const index = new MemorySessionIndex([{ name: agentDir, storage, agent: "pi" }])
const source = { name: agentDir, address: agentDir, madeBy: "pi", storage, projectOf: (folder: string) => folder }
const sessions = new Library([{ ...source, manager: async () => manager }], { index: async () => index })
await serveOverStdio({ sessions, cwd, version: "1.2.3" })
