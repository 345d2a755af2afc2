import { spawn } from "node:child_process"
import { createInterface } from "node:readline"
import { userEntry } from "@treelog-internal/test-kit"
import { expect, onTestFinished, test } from "vitest"
import { MAIN } from "./built-imports.js"
import { type Sandbox, sandbox } from "./sandbox.js"

// `treelog mcp`, as an agent starts it. It runs what `npm run build` made.

/** A server, asked by lines of JSON-RPC. */
async function served(box: Sandbox, ...argv: string[]) {
  const env = {
    PATH: process.env.PATH,
    HOME: box.folder,
    TREELOG_AGENT_DIR: box.agentDir,
    TREELOG_CACHE_DIR: box.cacheDir,
  }
  const child = spawn(process.execPath, [MAIN, "mcp", ...argv], { cwd: box.project, env })
  onTestFinished(() => void child.kill())
  const ended = new Promise<number | null>((resolve) => child.once("exit", resolve))
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  let id = 0
  const ask = async (method: string, params: object): Promise<Record<string, unknown>> => {
    child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id: ++id, method, params })}\n`)
    return JSON.parse((await lines.next()).value)
  }
  const clientInfo = { name: "test", version: "1" }
  const hello = await ask("initialize", { protocolVersion: "2025-06-18", capabilities: {}, clientInfo })
  child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", method: "notifications/initialized" })}\n`)
  return { hello, ask, ended, close: () => child.stdin.end(), interrupt: () => child.kill("SIGINT") }
}

function stored(): Sandbox {
  const box = sandbox()
  box.store([userEntry("here", null, "needle")], { id: "here" })
  box.store([userEntry("there", null, "needle")], { id: "there", cwd: "/elsewhere" })
  return box
}

const search = { name: "search_sessions", arguments: { query: "needle" } }

test("serves the sessions of this folder, and ends with its client", { timeout: 60_000 }, async () => {
  const { hello, ask, ended, close } = await served(stored())
  expect(hello).toMatchObject({ result: { serverInfo: { name: "treelog" } } })
  const found = JSON.stringify(await ask("tools/call", search))
  expect(found).toContain("1 hit.")
  expect(found).toContain("treelog://session/here/entry/here")
  close()
  expect(await ended).toBe(0)
})

test("serves those of every folder with --all, until it is interrupted", { timeout: 60_000 }, async () => {
  const { ask, ended, interrupt } = await served(stored(), "--all")
  expect(JSON.stringify(await ask("tools/call", search))).toContain("2 hits.")
  interrupt()
  expect(await ended).toBe(130)
})
