import { spawn } from "node:child_process"
import { rmSync, symlinkSync } from "node:fs"
import { createInterface } from "node:readline"
import { Client } from "@modelcontextprotocol/client"
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio"
import { userEntry } from "@treelog-internal/test-kit"
import { expect, onTestFinished, test } from "vitest"
import { AGENT_SAMPLES, agentSession } from "./agent-samples.js"
import { MAIN } from "./built-imports.js"
import { HOMES, SAID } from "./homes.js"
import { type Sandbox, sandbox } from "./sandbox.js"

// `treelog mcp`, as an agent starts it. It runs what `npm run build` made.

function envOf(box: Sandbox): Record<string, string> {
  const { agentDir, cacheDir, folder } = box
  return { PATH: process.env.PATH ?? "", HOME: folder, TREELOG_AGENT_DIR: agentDir, TREELOG_CACHE_DIR: cacheDir }
}

/** A server, asked by lines of JSON-RPC. */
async function served(box: Sandbox, ...argv: string[]) {
  const child = spawn(process.execPath, [MAIN, "mcp", ...argv], { cwd: box.project, env: envOf(box) })
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

test("serves the sessions of this folder, and ends with its client", async () => {
  const { hello, ask, ended, close } = await served(stored())
  expect(hello).toMatchObject({ result: { serverInfo: { name: "treelog" } } })
  const found = JSON.stringify(await ask("tools/call", search))
  expect(found).toContain("1 hit.")
  expect(found).toContain("treelog://session/here/entry/here")
  close()
  expect(await ended).toBe(0)
})

test("serves those of every folder with --all, until it is interrupted", async () => {
  const { ask, ended, interrupt } = await served(stored(), "--all")
  expect(JSON.stringify(await ask("tools/call", search))).toContain("2 hits.")
  interrupt()
  expect(await ended).toBe(130)
})

/** Asks a server by the client of the official SDK. */
async function asked(box: Sandbox, ...argv: string[]) {
  const client = new Client({ name: "test", version: "1" })
  const args = [MAIN, "mcp", ...argv]
  await client.connect(new StdioClientTransport({ command: process.execPath, args, cwd: box.project, env: envOf(box) }))
  onTestFinished(() => client.close())
  return async (name: string, given: Record<string, unknown> = {}) => {
    const { content, isError = false } = await client.callTool({ name, arguments: given })
    const text = content.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n")
    return { text, isError, links: content.flatMap((part) => (part.type === "resource_link" ? [part.uri] : [])) }
  }
}

test("the SDK's client finds and reads sessions of several agents in one store, and learns of a broken one", async () => {
  const box = sandbox()
  box.store([userEntry("here", null, "needle")], { id: "own" })
  for (const sample of AGENT_SAMPLES) {
    agentSession(box, sample, sample.id, `needle of ${sample.agent}`)
    await box.run(["import", "--from", sample.agent, sample.id])
  }
  const broken = box.store([], { id: "broken" })
  rmSync(broken)
  symlinkSync("nowhere.jsonl", broken)
  const call = await asked(box)
  const ids = ["own", ...AGENT_SAMPLES.map(({ id }) => id)]
  const { text: listed } = await call("list_sessions")
  for (const id of ids) expect(listed).toContain(id)
  expect(listed).toMatch(/cannot be read: \w+Error/)
  const found = await call("search_sessions", { query: "needle role:user" })
  expect(found.text).toContain("3 hits.")
  expect(found.text).toContain("1 session of the store cannot be read")
  expect(found.links.map((link) => link.split("/")[3]).sort()).toEqual([...ids].sort())
  for (const { id, agent } of AGENT_SAMPLES) {
    const { text, isError } = await call("read_session", { session: id })
    expect({ isError, text }).toEqual({ isError: false, text: expect.stringContaining(`Reply to needle of ${agent}`) })
  }
  const { text: sums } = await call("session_stats", { by: "session" })
  for (const { id } of AGENT_SAMPLES) expect(sums).toContain(`- ${id}: 1 call, 10 input`)
  expect(sums).toContain("1 session of the store cannot be read")
})

test.each(AGENT_SAMPLES)("--store $agent serves its sessions where they are, and changes nothing", async (sample) => {
  const box = sandbox()
  agentSession(box, sample, sample.id, "needle")
  const before = box.snapshot()
  const call = await asked(box, "--store", sample.agent)
  expect((await call("search_sessions", { query: "needle role:user" })).text).toContain("1 hit.")
  expect((await call("read_session", { session: sample.id })).text).toContain("Reply to needle")
  expect(box.snapshot()).toEqual(before)
})

test.each(Object.entries(HOMES))(
  "in a home %s, each conversation is listed once, and whatever is found can be read",
  async (_, write) => {
    const box = sandbox()
    await write(box)
    const listed = (await box.run(["list", "--all", "--json"])).json.map(({ id }) => id)
    const { ask, ended, close } = await served(box, "--all")
    const answered = JSON.stringify(await ask("tools/call", { name: "list_sessions", arguments: {} }))
    const ids = [...answered.matchAll(/\\n- (\S*) (?:20\d\d-|without a time)/g)].map(([, id]) => id)
    expect(ids.sort()).toEqual(listed.sort())
    const query = { query: SAID, limit: 50 }
    const found = JSON.stringify(await ask("tools/call", { name: "search_sessions", arguments: query }))
    const uris = new Set(found.match(/treelog:\/\/session\/[^"\\]+/g))
    expect(uris.size).toBeGreaterThan(0)
    for (const uri of uris) expect([uri, (await ask("resources/read", { uri })).error]).toEqual([uri, undefined])
    close()
    expect(await ended).toBe(0)
  },
)
