// A program of its own: holds a session while another runtime tries to append to it, then lets it, and prints how both
// ended. Arguments: the binary of the other runtime, and the command's main.js.
import { spawn } from "node:child_process"
import { once } from "node:events"
import { SessionManager } from "@treelog/session-core"
import { FileSessionStorage } from "@treelog/storage-fs"

const [, , binary = "", main = ""] = process.argv

async function append(path: string): Promise<number> {
  const child = spawn(binary, [main, "append", path, "--role", "user", "--text", "Hi"], { stdio: "ignore" })
  const [code] = await once(child, "close")
  return code
}

const sessions = new SessionManager({ storage: new FileSessionStorage({ agentDir: "./agent" }) })
const session = await sessions.create("/home/me/project", { persist: "create" })
session.appendMessage({ role: "user", content: "Mine.", timestamp: Date.now() })
await session.flush()
const path = session.getSessionFile() ?? ""
const held = await append(path)
await session.close()
console.log(JSON.stringify({ held, free: await append(path) }))
