import { Client } from "@modelcontextprotocol/client"
import { InMemoryTransport } from "@modelcontextprotocol/server"
import { createMcpServer, type McpServerOptions } from "@treelog/mcp"
import { MemorySessionStorage, SessionManager } from "@treelog/session-core"
import { MemorySessionIndex } from "@treelog/session-core/search"
import { Library } from "@treelog/stores"
import { testIds, userMessage } from "@treelog-internal/test-kit"
import { expect, test } from "vitest"

const SHOP = "/home/ada/shop"
const MINUTE = 60_000
const NOON = Date.UTC(2026, 5, 1, 12)

/** A client of two sessions of a folder: an old one, and one that was written to a minute before noon. */
async function connected(given: Partial<McpServerOptions>) {
  const storage = new MemorySessionStorage()
  let now = NOON - 120 * MINUTE
  const manager = new SessionManager({ storage, clock: { now: () => now }, ids: testIds() })
  const said = async (text: string): Promise<string> => {
    const session = await manager.create(SHOP)
    for (let at = 0; at < 40; at++)
      session.appendMessage(userMessage(`${text} ${at} ${"and so on ".repeat(20)}`, { timestamp: now }))
    await session.close()
    return session.getSessionId()
  }
  const old = await said("The retry was flaky")
  now = NOON - MINUTE
  const asking = await said("Was the retry flaky before?")
  const source = { name: "store", address: "store", madeBy: "pi", storage, projectOf: (folder: string) => folder }
  const index = new MemorySessionIndex([{ name: "store", storage }])
  const sessions = new Library([{ ...source, manager: async () => manager }], { index: async () => index })
  const server = createMcpServer({ sessions, cwd: undefined, version: "1", now: () => NOON, ...given })
  const client = new Client({ name: "test", version: "1" })
  const [near, far] = InMemoryTransport.createLinkedPair()
  await server.connect(far)
  await client.connect(near)
  const call = async (name: string, args: Record<string, unknown>, meta: Record<string, unknown> = {}) => {
    const { content } = await client.callTool({ name, arguments: args, _meta: meta })
    return content.map((part) => (part.type === "text" ? part.text : JSON.stringify(part))).join("\n")
  }
  return { old, asking, call }
}

const started = (env: Record<string, string> = {}, cwd = SHOP) => ({ started: { cwd, env } })

test("The session that a client names with its call is left out, and that is said.", async () => {
  const { old, asking, call } = await connected(started())
  for (const [name, args] of [
    ["search_sessions", { query: "retry", limit: 50 }],
    ["list_sessions", {}],
  ] as const) {
    const text = await call(name, args, { threadId: old })
    expect([text.includes(asking), text.includes(old)]).toEqual([true, false])
    expect(text).toContain("The session that asks is left out.")
  }
})

test.each(["CLAUDE_CODE_SESSION_ID", "QWEN_CODE_SESSION_ID", "COPILOT_AGENT_SESSION_ID"])(
  "The session that %s names is left out, and the newest of the folder, which the client may have gone on with.",
  async (name) => {
    const { old, asking, call } = await connected(started({ [name]: "none-that-is-stored" }))
    const text = await call("search_sessions", { query: "retry" })
    expect(text).toContain(old)
    expect(text).toContain("The session that asks is left out.")
    expect(text).toContain(`Session ${asking} was written in this folder just now`)
    const own = await connected(started({ [name]: asking }))
    const left = await own.call("search_sessions", { query: "retry" })
    expect(left).not.toContain(asking)
    expect(left).not.toContain("just now")
  },
)

test("Where no client names one, that which was just written in the folder is left out, and said with its id.", async () => {
  const { old, asking, call } = await connected(started())
  const text = await call("search_sessions", { query: "retry" })
  expect(text).toContain(old)
  expect(text.match(new RegExp(asking, "g"))).toHaveLength(1)
  expect(text).toContain(`Session ${asking} was written in this folder just now`)
  expect(await call("read_session", { session: asking })).toContain("Was the retry flaky before? 39")
})

test("A session that was not written for ten minutes asks nothing, nor one of another folder.", async () => {
  const later = await connected({ ...started(), now: () => NOON + 10 * MINUTE })
  expect(await later.call("search_sessions", { query: "before" })).toContain(later.asking)
  const elsewhere = await connected(started({}, "/home/ada/blog"))
  expect(await elsewhere.call("search_sessions", { query: "before" })).toContain(elsewhere.asking)
})

test("A query that names the session gets it.", async () => {
  const { asking, call } = await connected(started())
  expect(await call("search_sessions", { query: `before session:${asking}` })).toContain(`entry`)
})

test("An answer has about as many tokens as were asked for, 2,000 by default, and says how many hits it shows.", async () => {
  const { call } = await connected({})
  const text = await call("search_sessions", { query: "retry", limit: 50 })
  expect(text.length).toBeLessThan(2_000 * 4 + 600)
  expect(text).toMatch(/^50 hits\. \d+ of them are shown: narrow the query, or raise tokens\./)
  expect(await call("search_sessions", { query: "retry", limit: 50, tokens: 20_000 })).toMatch(
    /^50 hits\. There is more/,
  )
  const short = await call("search_sessions", { query: "retry", tokens: 200 })
  expect(short.length).toBeLessThan(200 * 4 + 600)
  expect(short).toMatch(/^15 hits\. [1-9]\d* of them are shown/)
})
