import { appendFile, readFile } from "node:fs/promises"
import { writeClaudeCode } from "@treelog/agents/claude-code"
import { MemorySessionStorage, type Session, SessionManager } from "@treelog/session-core"
import { toAnthropicMessages } from "@treelog/session-core/messages"
import { NAME, sampleSession } from "@treelog-internal/test-kit/copied-session"
import { generateSession } from "@treelog-internal/test-kit/generator"
import { beforeEach, expect, it } from "vitest"
import { type ClaudeFolder, folderOfTest } from "../store/claude-folder.js"

type Json = Record<string, unknown>

let folder: ClaudeFolder
beforeEach(async () => {
  folder = await folderOfTest()
})

const write = (session: Session, more: object = {}) =>
  writeClaudeCode(session, { dir: folder.dir, from: "claude-code", ...more })

async function linesOf(path: string): Promise<Json[]> {
  const text = await readFile(path, "utf8")
  expect(text.endsWith("\n")).toBe(true)
  return text
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line))
}

const blocksIn = (lines: readonly Json[]): Json[] =>
  lines
    .flatMap(({ message }) => (message as Json | undefined)?.content ?? [])
    .filter((block) => typeof block === "object") as Json[]

it.each([false, true])(
  "gives the context of the source again, and is listed with its name (compacted: %s)",
  async (isCompacted) => {
    const source = await sampleSession("/srv/shop", isCompacted)
    const { id, path, receipt } = await write(source)
    const sessions = new SessionManager({ storage: folder.storage })
    const listed = []
    for await (const one of sessions.listAll()) listed.push(one)
    expect(listed).toMatchObject([{ id, path, name: NAME, cwd: "/srv/shop" }])
    const sentFor = async (session: Session) =>
      JSON.parse(
        JSON.stringify(toAnthropicMessages(await session.readContext())).replaceAll(
          /"toolu_[^"]*_3"|"call_[0-9a-f]{32}"/g,
          '"odd"',
        ),
      )
    const copy = await sentFor(await sessions.open(path, { access: "read" }))
    const whole = await sentFor(source)
    expect(copy).toEqual(whole)
    expect(receipt).toMatchObject({
      thinking: { outcome: "preserved", source: 1 },
      calls: { outcome: "partial", source: 5 },
      results: { outcome: "preserved", source: 4 },
      images: { outcome: "preserved", source: 2 },
      compactions: { preserved: isCompacted ? 1 : 0 },
    })
  },
)

it("writes a line for each block, in one chain, and names calls as Claude Code does", async () => {
  const source = new SessionManager({ storage: new MemorySessionStorage() }).inMemory("/srv/shop")
  source.appendMessage({ role: "user", content: "Look.", timestamp: 1 })
  const calls = [
    {
      type: "toolCall",
      id: "call_1",
      name: "exec_command",
      arguments: { cmd: "ls", workdir: "/srv/other", yield_time_ms: 5 },
    },
    { type: "toolCall", id: "call_2", name: "view_image", arguments: { path: "a.png" } },
    { type: "toolCall", id: "call|3", name: "update_plan", arguments: { plan: [] } },
    {
      type: "toolCall",
      id: "call_4",
      name: "look",
      arguments: {},
      thoughtSignature: '{"type":"function_call","namespace":"mcp__local"}',
    },
    {
      type: "toolCall",
      id: "call_5",
      name: "shell",
      arguments: { command: ["bash", "-lc", "pwd"], workdir: "/srv/shop" },
    },
  ]
  const thinking = { type: "thinking", thinking: "Hm.", thinkingSignature: '{"type":"reasoning","summary":[]}' }
  source.appendMessage({
    role: "assistant",
    content: [thinking, ...calls],
    provider: "openai",
    model: "gpt-5",
    timestamp: 2,
  })
  const { path, receipt } = await write(source, { from: "codex" })
  const lines = await linesOf(path)
  const said = lines.filter(({ uuid }) => uuid !== undefined)
  for (const [at, { parentUuid }] of said.entries()) expect(parentUuid).toBe(said[at - 1]?.uuid ?? null)
  const blocks = blocksIn(lines)
  expect(blocks.filter(({ type }) => type === "tool_use").map(({ name, input }) => [name, input])).toEqual([
    ["Bash", { command: "cd '/srv/other' && ls" }],
    ["Read", { file_path: "a.png" }],
    ["update_plan", { plan: [] }],
    ["mcp__local__look", {}],
    ["Bash", { command: "pwd" }],
  ])
  const ids = (type: string, field: string) =>
    blocks.filter((block) => block.type === type).map((block) => block[field])
  expect(ids("tool_result", "tool_use_id")).toEqual(ids("tool_use", "id"))
  expect(ids("thinking", "thinking")).toEqual([])
  expect(receipt.thinking.reasons).toEqual({ "signed for its own model": 1 })
})

it("changes nothing when it runs again, appends what the source has since, and never touches what Claude Code wrote", async () => {
  const source = await sampleSession("/srv/shop", true)
  const first = await write(source)
  expect((await write(source)).status).toBe("unchanged")
  source.appendMessage({ role: "user", content: "More.", timestamp: Date.parse("2026-11-21T00:00:00Z") })
  expect(await write(source)).toMatchObject({ status: "appended", id: first.id })
  await appendFile(first.path, `${JSON.stringify({ type: "mode", mode: "normal", sessionId: first.id })}\n`)
  const continued = await readFile(first.path, "utf8")
  expect((await write(source)).status).toBe("continued")
  source.appendMessage({ role: "user", content: "And more.", timestamp: Date.parse("2026-11-23T00:00:00Z") })
  const other = await write(source)
  expect([other.status, other.id === first.id]).toEqual(["created", false])
  expect(await readFile(first.path, "utf8")).toBe(continued)
})

it("writes a session of 5,000 entries, whose receipt adds up, with one result for each call", async () => {
  const [header = "", ...lines] = generateSession({
    seed: 4,
    style: "omp",
    entries: 5_000,
    toolOutput: 50,
    imageBytes: 100,
  })
  const entries = lines.map((line) => JSON.parse(line)).filter(({ type }) => type !== "title" && type !== "session")
  const manager = new SessionManager({ storage: new MemorySessionStorage() })
  const source = manager.inMemory("/srv/shop", {
    header: JSON.parse(header.includes('"session"') ? header : (lines[0] ?? "")),
    entries,
  })
  const { path, receipt } = await write(source, { from: "omp" })
  const blocks = blocksIn(await linesOf(path))
  const calls = new Set(blocks.filter(({ type }) => type === "tool_use").map(({ id }) => id))
  const results = new Set(blocks.filter(({ type }) => type === "tool_result").map(({ tool_use_id: id }) => id))
  expect(calls.size).toBeGreaterThan(100)
  expect([...results].sort()).toEqual([...calls].sort())
  for (const { source: all, preserved, partial, evidence, dropped } of Object.values(receipt))
    expect(preserved + partial + evidence + dropped).toBe(all)
})
