import { appendFile, readdir, readFile, rm, writeFile } from "node:fs/promises"
import { CodexStorage, removeCodexCopy, writeCodex } from "@treelog/agents/codex"
import { MemorySessionStorage, type Session, SessionManager } from "@treelog/session-core"
import { assistantMessage } from "@treelog-internal/test-kit"
import { NAME, sampleSession } from "@treelog-internal/test-kit/copied-session"
import { generateSession } from "@treelog-internal/test-kit/generator"
import { afterEach, beforeEach, expect, it } from "vitest"
import { TestHome } from "../home.js"

type Json = Record<string, unknown>

let home: TestHome
beforeEach(async () => {
  home = await TestHome.make()
})
afterEach(() => home.remove())

const write = (session: Session, more: object = {}) =>
  writeCodex(session, { dir: home.dir, from: "claude-code", ...more })

async function linesOf(path: string): Promise<Json[]> {
  const text = await readFile(path, "utf8")
  expect(text.endsWith("\n")).toBe(true)
  return text
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line))
}

const itemsIn = (lines: readonly Json[]): Json[] =>
  lines.filter(({ type }) => type === "response_item").map(({ payload }) => payload as Json)

it("writes calls in Codex's names, each with one result, and keeps what Codex has no name for", async () => {
  const { path } = await write(await sampleSession("/srv/shop", false))
  const items = itemsIn(await linesOf(path))
  const calls = items.filter(({ type }) => type === "function_call")
  expect(calls.map(({ name, arguments: args }) => [name, JSON.parse(String(args))])).toEqual([
    ["exec_command", { cmd: "cat sum.ts" }],
    ["Read", { file_path: "/srv/shop/sum.ts", limit: 20 }],
    ["view_image", { path: "one.png" }],
    ["mcp__local__look", { at: "it" }],
    ["exec_command", { cmd: "sleep 100" }],
  ])
  const results = items.filter(({ type }) => type === "function_call_output")
  expect(results.map(({ call_id }) => call_id)).toEqual(calls.map(({ call_id }) => call_id))
  for (const { call_id } of calls) expect(call_id).toMatch(/^[\w-]{1,64}$/)
  expect(JSON.stringify(results[2]?.output)).toContain("data:image/png;base64,")
})

it.each([
  [undefined, "openai"],
  ['model = "gpt-5"\nmodel_provider = "local"\n[profiles.x]\nmodel_provider = "other"\n', "local"],
  ['[profiles.x]\nmodel_provider = "other"\n', "openai"],
])(
  "names the provider that Codex is set to: without one that is set up, editors do not open it (%j)",
  async (config, provider) => {
    if (config !== undefined) await home.write("config.toml", config)
    const [head] = await linesOf((await write(await sampleSession("/srv/shop", false))).path)
    expect(head?.payload).toMatchObject({ model_provider: provider, source: "cli" })
  },
)

it("has events for the list and the screen, with what was typed and answered", async () => {
  const { path } = await write(await sampleSession("/srv/shop", true))
  const events = (await linesOf(path)).filter(({ type }) => type === "event_msg").map(({ payload }) => payload as Json)
  const shown = events.flatMap(({ message, text }) => message ?? text ?? [])
  expect(shown).toEqual([
    ...["Why is the sum wrong? 🧮", "Let me see.", "I look.", "It is a constant.", "What is this picture?", "A pixel."],
    ...["Keep this.", "Kept.", "And then?", "Then we go on.", "Wait a while.", "Are you there?", "I am."],
  ])
  const turns = (type: string) => events.filter((event) => event.type === type)
  expect(turns("task_complete").map(({ turn_id }) => turn_id)).toEqual(
    turns("task_started").map(({ turn_id }) => turn_id),
  )
  expect(turns("task_complete").at(-1)?.last_agent_message).toBe("I am.")
})

it("counts what becomes of each piece of the source", async () => {
  const { receipt } = await write(await sampleSession("/srv/shop", true))
  const counts = Object.entries(receipt).map(([axis, { outcome, source, preserved, partial, evidence, dropped }]) => {
    expect(preserved + partial + evidence + dropped).toBe(source)
    return [axis, outcome, source]
  })
  expect(counts).toEqual([
    ["text", "dropped", 14],
    ["thinking", "evidence", 1],
    ["calls", "partial", 5],
    ["results", "partial", 4],
    ["images", "preserved", 2],
    ["branches", "dropped", 2],
    ["subAgents", "absent", 0],
    ["usage", "absent", 0],
    ["names", "preserved", 1],
    ["compactions", "preserved", 1],
  ])
  expect(receipt.text.reasons).toEqual({ "on another branch": 2 })
  expect(receipt.calls.reasons).toEqual({
    "in another shape": 1,
    renamed: 1,
    "under its own name": 2,
    "without a result": 1,
  })
})

it("appends turn after turn, each with times of its own, and what was said since within one", async () => {
  const source = await sampleSession("/srv/shop", false)
  const first = await write(source)
  for (const day of [22, 23, 24]) {
    const time = Date.parse(`2026-11-${day}T00:00:00Z`)
    source.appendMessage({ role: "user", content: `Go on on day ${day}.`, timestamp: time })
    expect(await write(source)).toMatchObject({ status: "appended", id: first.id })
    source.appendMessage(assistantMessage(`It is day ${day}.`, { timestamp: time + 5_000 }))
    expect(await write(source)).toMatchObject({ status: "appended", id: first.id })
  }
})

it("changes nothing when it runs again, appends what the source has since, and never touches what Codex wrote", async () => {
  const source = await sampleSession("/srv/shop", true)
  const first = await write(source)
  expect(first.status).toBe("created")
  expect((await write(source)).status).toBe("unchanged")
  source.appendMessage({ role: "user", content: "More.", timestamp: Date.parse("2026-11-21T00:00:00Z") })
  const grown = await write(source)
  expect(grown).toMatchObject({ status: "appended", id: first.id, path: first.path })
  await appendFile(first.path, '{"timestamp":"2026-11-22T00:00:00Z","type":"event_msg","payload":{"type":"warning"}}\n')
  const continued = await readFile(first.path, "utf8")
  expect((await write(source)).status).toBe("continued")
  source.appendMessage({ role: "user", content: "And more.", timestamp: Date.parse("2026-11-23T00:00:00Z") })
  const other = await write(source)
  expect(other.status).toBe("created")
  expect(other.id).not.toBe(first.id)
  expect(await readFile(first.path, "utf8")).toBe(continued)
  expect((await write(source)).id).toBe(other.id)
})

it("is listed by treelog with its name, and gives the context again", async () => {
  const source = await sampleSession("/srv/shop", true)
  const { id, path } = await write(source)
  const sessions = new SessionManager({ storage: new CodexStorage({ dir: home.dir, cacheDir: null }) })
  const listed = []
  for await (const one of sessions.listAll()) listed.push(one)
  expect(listed).toMatchObject([{ id, path, name: NAME, cwd: "/srv/shop" }])
  const session = await sessions.open(path, { access: "read" })
  const said = JSON.stringify(session.buildSessionContext().messages)
  for (const text of ["They looked for a wrong sum.", "Keep this.", "Then we go on.", "Are you there?", "I am."])
    expect(said).toContain(text)
  expect(said).not.toContain("A pixel.")
})

it("writes a path that ends earlier, and one that begins with the last summary", async () => {
  const source = await sampleSession("/srv/shop", true)
  const [, , answer] = source.getBranch()
  const part = await write(source, { leaf: answer?.id })
  const short = await write(source, { fromSummary: true })
  const texts = (lines: readonly Json[]): string => JSON.stringify(itemsIn(lines))
  expect(texts(await linesOf(part.path))).not.toContain("It is a constant.")
  const summary = texts(await linesOf(short.path))
  expect(summary).toContain("They looked for a wrong sum.")
  expect(summary).not.toContain("A pixel.")
  expect(new Set([part.id, short.id, (await write(source)).id]).size).toBe(3)
})

it("writes nothing in a dry run, for a session without a word, and where Codex was never used", async () => {
  const source = await sampleSession("/srv/shop", false)
  expect((await write(source, { dryRun: true })).status).toBe("created")
  expect(await readdir(home.dir)).toEqual([])
  const empty = new SessionManager({ storage: new MemorySessionStorage() }).inMemory("/srv/shop")
  await expect(write(empty)).rejects.toMatchObject({ code: "InvalidArgumentError" })
  await rm(home.dir, { recursive: true })
  await expect(write(source)).rejects.toMatchObject({ code: "InvalidArgumentError" })
  await expect(readdir(home.dir)).rejects.toThrow()
})

it.each([1, 2, 3])("writes sessions of 5,000 entries, whose receipt adds up (%i)", async (seed) => {
  const [header = "", ...lines] = generateSession({
    seed,
    style: "pi",
    entries: 5_000,
    toolOutput: 50,
    imageBytes: 100,
  })
  const entries = lines.map((line) => JSON.parse(line))
  const manager = new SessionManager({ storage: new MemorySessionStorage() })
  const source = manager.inMemory("/srv/shop", { header: JSON.parse(header), entries })
  const { path, receipt } = await write(source, { from: "pi" })
  const items = itemsIn(await linesOf(path))
  const idsOf = (type: RegExp): unknown[] =>
    items.filter((item) => type.test(String(item.type))).map(({ call_id }) => call_id)
  expect(idsOf(/_call$/)).toEqual([...new Set(idsOf(/_call$/))])
  expect(idsOf(/_call$/).sort()).toEqual(idsOf(/_output$/).sort())
  for (const { source: all, preserved, partial, evidence, dropped } of Object.values(receipt))
    expect(preserved + partial + evidence + dropped).toBe(all)
  const messages = entries.filter(({ type }) => type === "message").map(({ message }) => message)
  expect(receipt.results.source).toBe(messages.filter(({ role }) => role === "toolResult").length)
  const blocks = messages.flatMap(({ content }) => (Array.isArray(content) ? content : []))
  expect(receipt.calls.source).toBe(blocks.filter(({ type }) => type === "toolCall").length)
  expect(receipt.images.source).toBe(blocks.filter(({ type }) => type === "image").length)
})

it("names a thread after its first prompt where the session has no name: Codex would take the next one", async () => {
  const source = new SessionManager({ storage: new MemorySessionStorage() }).inMemory("/srv/shop")
  source.appendMessage({ role: "user", content: "Why is it wrong?\nLook.", timestamp: 1 })
  source.appendMessage(assistantMessage("It is a constant."))
  const { id } = await write(source)
  const [line = "{}"] = (await readFile(`${home.dir}/session_index.jsonl`, "utf8")).trim().split("\n")
  expect(JSON.parse(line)).toMatchObject({ id, thread_name: "Why is it wrong?" })
})

it("removes the name of a copy with it, and no other line of the index", async () => {
  const index = `${home.dir}/session_index.jsonl`
  const other =
    '{"id":"01a2268b-dd6e-7e61-8fa3-eb766b5da69b","thread_name":"Another","updated_at":"2026-11-20T00:00:00Z"}\n'
  await writeFile(index, `${other}not JSON\n`)
  const { path, id } = await write(await sampleSession("/srv/shop", false))
  expect(await readFile(index, "utf8")).toContain(id)
  expect(await removeCodexCopy(path, { dryRun: true })).toBe(true)
  expect(await readFile(index, "utf8")).toContain(id)
  expect(await removeCodexCopy(path)).toBe(true)
  expect(await readFile(index, "utf8")).toBe(`${other}not JSON\n`)
})
