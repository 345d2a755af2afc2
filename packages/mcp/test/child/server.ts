// Serves the sessions of a folder: `agentDir` and the `cwd` that may be seen, or none.
import { StdioServerTransport } from "@modelcontextprotocol/server/stdio"
import { SessionManager } from "@treelog/session-core"
import { MemorySessionIndex } from "@treelog/session-core/session-index"
import { FileSessionStorage } from "@treelog/storage-fs"
import { createMcpServer } from "../../src/index.js"

const [agentDir = "", cwd] = process.argv.slice(2)
const storage = new FileSessionStorage({ agentDir, cacheDir: null })
const sessions = new SessionManager({ storage })
const server = createMcpServer({ sessions, index: new MemorySessionIndex(storage), cwd, version: "1.2.3" })
await server.connect(new StdioServerTransport())
