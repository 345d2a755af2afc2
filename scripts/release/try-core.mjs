import { mkdirSync, readdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"

const PROGRAM = `import { MemorySessionStorage, SessionManager } from "@treelog/session-core"
const storage = new MemorySessionStorage()
const session = await new SessionManager({ storage }).create("/home/me/project")
const question = session.appendMessage({ role: "user", content: "Which way?", timestamp: Date.now() })
session.appendMessage({ role: "user", content: "Try the left one.", timestamp: Date.now() })
session.branch(question)
session.appendMessage({ role: "user", content: "Try the right one.", timestamp: Date.now() })
await session.flush()
const said = session.buildSessionContext().messages.map(({ content }) => content)
if (said.join() !== "Which way?,Try the right one.") throw new Error(said)
const key = session.getSessionFile()
process.stdout.write(await storage.readRange(key, 0, (await storage.stat(key)).size))
`

/** Installs the core and nothing else in an empty folder, and runs ten lines on it. Gives the session file that they make. */
export async function tryCore(runner, { temp, env }) {
  const cwd = join(temp, "core")
  mkdirSync(cwd)
  writeFileSync(join(cwd, "package.json"), JSON.stringify({ private: true, type: "module" }))
  writeFileSync(join(cwd, "program.js"), PROGRAM)
  await runner.run("npm", ["install", "@treelog/session-core"], { cwd, env })
  const installed = readdirSync(join(cwd, "node_modules")).filter((name) => !name.startsWith("."))
  if (installed.join() !== "@treelog,zod") throw new Error(`The core brought along ${installed.join(", ")}`)
  const text = await runner.run("node", ["program.js"], { cwd, env })
  const lines = text
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line))
  if (lines.map(({ type }) => type).join() !== "session,message,message,message") throw new Error(`It wrote ${text}`)
  if (lines[3].parentId !== lines[1].id) throw new Error("The second answer is not the question's child")
  return text
}
