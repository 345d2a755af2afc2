import { appendFile, mkdir, utimes, writeFile } from "node:fs/promises"
import { dirname, join } from "node:path"
import { convertClaudeCode } from "@treelog/agents/claude-code"
import { type SessionEntry, type SessionInfo, SessionManager, type SessionSource } from "@treelog/session-core"
import { partOf } from "@treelog/session-core/adapter"
import { MemorySessionIndex, sessionStats } from "@treelog/session-core/search"
import { describe, expect, it } from "vitest"
import { call, reply, result, text, user } from "../lines.js"
import { folderOfTest } from "./claude-folder.js"

const ID = "11111111-1111-4111-8111-111111111111"
const CWD = "/home/ada/shop"
const used = (input_tokens: number) => ({ usage: { input_tokens, output_tokens: 0 } })
const asText = (lines: readonly object[]): string => lines.map((line) => `${JSON.stringify(line)}\n`).join("")

/** What a sub-agent says: it reads a file, and edits another. */
const agent = (id: string, prompt: string, edited: string): object[] => [
  user(`${id}1`, null, prompt, { sessionId: ID, agentId: id, isSidechain: true }),
  reply(
    `${id}2`,
    `${id}1`,
    [{ type: "tool_use", id: `${id}c`, name: "Edit", input: { file_path: edited, old_string: "x", new_string: "y" } }],
    { id: `m${id}`, ...used(10) },
    { sessionId: ID, agentId: id, isSidechain: true },
  ),
]

/** A session with files beside it, by their path from the folder of the project. */
async function sessionWith(lines: readonly object[], beside: Record<string, string>) {
  const { pathOf, storage } = await folderOfTest()
  const path = pathOf(ID, CWD)
  for (const [name, content] of Object.entries({ [`${ID}.jsonl`]: asText(lines), ...beside })) {
    const file = join(dirname(path), name)
    await mkdir(dirname(file), { recursive: true })
    await writeFile(file, content)
  }
  const session = await new SessionManager({ storage }).open(path, { access: "read" })
  const entries = session.getEntries()
  await session.close()
  return { path, storage, entries }
}

const task = [
  user("u", null, "Fix it"),
  reply("a", "u", [call("k", "Agent")], used(1)),
  { ...result("r", "a", "k"), toolUseResult: { agentId: "a1" } },
  reply("b", "r", [text("Done")], used(2)),
]

/** The artifacts of a session as texts, by name. */
async function artifactsOf(storage: SessionSource, path: string): Promise<Record<string, string>> {
  const found: Record<string, string> = {}
  for await (const { name, chunks = [] } of storage.artifacts(path)) {
    const pieces: Uint8Array[] = []
    for await (const chunk of chunks) pieces.push(chunk.slice())
    found[name] = Buffer.concat(pieces).toString()
  }
  return found
}

describe("The sub-agents of a session of Claude Code", () => {
  it("are artifacts, as the conversion of the whole makes them, whether they are in its file or beside it", async () => {
    const progress = (id: string) => ({
      type: "progress",
      uuid: `p${id}`,
      parentUuid: "a",
      parentToolUseID: "k",
      data: { type: "agent_progress", agentId: id, message: user(`n${id}`, null, "Nested", { isSidechain: true }) },
    })
    const inFile = [...task, ...agent("a2", "Within", "/p/b.ts"), progress("a1"), progress("a3")]
    const beside = { "subagents/agent-a1.jsonl": asText(agent("a1", "Look", "/p/a.ts")) }
    const { storage, path } = await sessionWith(inFile, {
      ...Object.fromEntries(Object.entries(beside).map(([name, content]) => [`${ID}/${name}`, content])),
      [`${ID}/tool-results/b1.txt`]: "A long result",
      [`${ID}/subagents/agent-acompact-1.jsonl`]: asText(agent("c1", "Summarize", "/p/c.ts")),
    })
    const parts = Object.entries(beside).map(([name, content]) => ({ name, bytes: Buffer.from(content) }))
    const whole = convertClaudeCode(asText(inFile), { name: ID, path, parts })
    const transcripts = [...whole.artifacts].map(({ name, header, entries }) => [name, asText([header, ...entries])])
    expect(transcripts.map(([name]) => name).sort()).toEqual([
      "progress/agent-a3.jsonl",
      "sidechain-a21.jsonl",
      "subagents/agent-a1.jsonl",
    ])
    expect(await artifactsOf(storage, path)).toEqual({
      ...Object.fromEntries(transcripts),
      "tool-results/b1.txt": "A long result",
    })
  })

  it.each([
    ["in its folder", `${ID}/subagents/agent-a1.jsonl`],
    ["beside it", "agent-a1.jsonl"],
  ])("%s change it when they grow, or when another one begins", async (_, file) => {
    const { storage, path } = await sessionWith(task, { [file]: asText(agent("a1", "Look", "/p/a.ts")) })
    // What a folder holds is remembered while it stays as it was long ago.
    await utimes(dirname(path), 1e9, 1e9)
    const index = new MemorySessionIndex(storage)
    const input = async () => {
      await index.update()
      return (await index.usage({}))[0]?.totals.input
    }
    expect(await input()).toBe(13)
    await appendFile(join(dirname(path), file), asText(agent("b1", "More", "/p/b.ts")))
    expect(await input()).toBe(23)
    await writeFile(join(dirname(path), file.replace("a1", "c1")), asText(agent("c1", "Other", "/p/c.ts")))
    expect(await input()).toBe(33)
  })

  it.each([
    ["in its folder", `${ID}/subagents/agent-a1.jsonl`, "subagents/agent-a1.jsonl"],
    [
      "nested in a workflow",
      `${ID}/subagents/workflows/wf_1/agent-a1.jsonl`,
      "subagents/workflows/wf_1/agent-a1.jsonl",
    ],
    ["beside it, as version 2.0 wrote them", "agent-a1.jsonl", "agent-a1.jsonl"],
  ])("%s stand behind the call that they work for", async (_, file, name) => {
    const { entries, storage, path } = await sessionWith(task, {
      [file]: asText(agent("a1", "Look at zircon", "/p/a.ts")),
      "agent-other.jsonl": asText(
        agent("x1", "Of another", "/p/x.ts").map((line) => ({ ...line, sessionId: "other" })),
      ),
      [`${ID}/subagents/workflows/wf_1/journal.jsonl`]: '{"type":"started"}\n',
    })
    const parts = entries.flatMap((entry) => partOf(entry) ?? [])
    expect(parts).toMatchObject([
      { name, role: "subagent", call: "k", title: "Look at zircon", messages: 2, modifiedFiles: ["/p/a.ts"] },
    ])
    expect(entries.find((entry) => partOf(entry))?.parentId).toBe("r")
    expect(sessionStats(entries).total).toMatchObject({ calls: 3, input: 13 })
    const artifacts: string[] = []
    for await (const artifact of storage.artifacts(path)) artifacts.push(artifact.name)
    expect(artifacts).toContain(name)
    expect(artifacts.some((one) => one.includes("other"))).toBe(false)
  })

  it("are found by a search and by the files that they changed, in the session", async () => {
    const said = "2026-11-20T10:00:00.000Z"
    const lines = agent("a1", "Look at zircon", "/p/a.ts").map((line) => ({ ...line, timestamp: said }))
    const { storage } = await sessionWith(task, { [`${ID}/subagents/agent-a1.jsonl`]: asText(lines) })
    const index = new MemorySessionIndex(storage)
    await index.update()
    const { sessions } = await index.search({ terms: [{ text: "zircon" }], limit: 10 })
    expect(sessions).toMatchObject([{ session: { id: ID }, hits: [{ role: "user", time: Date.parse(said) }] }])
    expect((await index.files({ path: "a.ts", limit: 10 })).length).toBe(1)
  })

  it("have beside them results that were kept in files, which a search finds at the call that made them", async () => {
    const kept = (id: string, content: string) => [{ type: "tool_result", tool_use_id: id, content }]
    const lines = [
      user("u", null, "Look"),
      reply("a", "u", [call("k1"), call("toolu_2"), call("k3")]),
      user("r1", "a", kept("k1", `<persisted-output>Full output saved to: /h/${ID}/tool-results/b1.txt\n\nPreview`)),
      user("r2", "r1", kept("toolu_2", "Preview")),
      user("r3", "r2", kept("k3", "Whole")),
    ]
    const { entries, storage } = await sessionWith(lines, {
      [`${ID}/tool-results/b1.txt`]: "far behind the preview: zircon",
      [`${ID}/tool-results/toolu_2.txt`]: "an opal",
      [`${ID}/tool-results/a3.pdf`]: "%PDF \0 zircon",
    })
    const parts = entries.flatMap((entry) => (partOf(entry) ? [{ ...partOf(entry), under: entry.parentId }] : []))
    expect(parts).toMatchObject([
      { name: "tool-results/b1.txt", role: "result", call: "k1", under: "r1" },
      { name: "tool-results/toolu_2.txt", role: "result", call: "toolu_2", under: "r2" },
      { name: "tool-results/a3.pdf", role: "result" },
    ])
    const index = new MemorySessionIndex(storage)
    await index.update()
    const { sessions } = await index.search({ terms: [{ text: "zircon" }], limit: 10 })
    const part = { name: "tool-results/b1.txt", role: "result" }
    expect(sessions).toMatchObject([{ session: { id: ID }, hits: [{ role: "toolResult", tool: "Bash", part }] }])
  })

  it.each(["in its folder", "beside it"])(
    "%s are read by the path of their file, with all that they said",
    async (place) => {
      const file = place === "beside it" ? "agent-a1.jsonl" : `${ID}/subagents/agent-a1.jsonl`
      const { storage, path } = await sessionWith(task, { [file]: asText(agent("a1", "Look", "/p/a.ts")) })
      const sessions = new SessionManager({ storage })
      const key = join(dirname(path), file)
      const session = await sessions.open(key, { access: "read" })
      expect(session.getHeader()).toMatchObject({ id: "agent-a1", parentSession: ID, countedIn: ID })
      expect(session.getBranch().map(({ id }) => id)).toEqual(["a11", "a12"])
      await session.close()
      expect((await sessions.readContext(key)).messages).toMatchObject([
        { content: "Look" },
        { role: "assistant" },
        { role: "toolResult" },
      ])
    },
  )

  it("are watched with it", async () => {
    const file = `${ID}/subagents/agent-a1.jsonl`
    const { storage, path } = await sessionWith(task, { [file]: asText(agent("a1", "Look", "/p/a.ts")) })
    const stopped = new AbortController()
    const changes = storage.watch(path, stopped.signal)
    await changes.next()
    const change = changes.next()
    await appendFile(join(dirname(path), file), asText(agent("b1", "More", "/p/b.ts")))
    expect(await change).toEqual({ done: false, value: undefined })
    stopped.abort()
    await changes.next()
  })

  it("whose call is not known stand where they began, and those of version 1 too", async () => {
    const at = (time: string) => ({ timestamp: `2026-02-10T${time}:00.000Z` })
    const { entries } = await sessionWith(
      [
        user("u", null, "Fix it", at("08:00")),
        user("s", null, "Side", { isSidechain: true, ...at("08:01") }),
        reply("a", "u", [text("One")], {}, at("08:02")),
        reply("b", "a", [text("Two")], { id: "m2" }, at("08:09")),
      ],
      {
        [`${ID}/subagents/agent-z9.jsonl`]: asText(
          agent("z9", "Late", "/p/z.ts").map((line) => ({ ...line, ...at("08:05") })),
        ),
      },
    )
    const order = entries.flatMap((entry) => partOf(entry)?.title ?? (entry.type === "message" ? entry.id : []))
    expect(order).toEqual(["u", "Side", "a", "Late", "b"])
  })

  it("whose lines stand in progress lines of the session are found, unless there is a file that has them", async () => {
    const nested = agent("a1", "Look at zircon", "/p/a.ts").map((message, at) => ({
      ...user(`p${at}`, "a", ""),
      type: "progress",
      parentToolUseID: "k",
      data: { type: "agent_progress", agentId: "a1", message },
    }))
    const [u, a, , b] = task
    const lines = [u, a, ...nested, result("r", "a", "k"), b] as object[]
    const alone = await sessionWith(lines, {})
    const parts = (entries: readonly SessionEntry[]) => entries.flatMap((entry) => partOf(entry) ?? [])
    expect(parts(alone.entries)).toMatchObject([
      { name: "progress/agent-a1.jsonl", call: "k", title: "Look at zircon", messages: 2, modifiedFiles: ["/p/a.ts"] },
    ])
    expect(sessionStats(alone.entries).total).toMatchObject({ calls: 3, input: 13 })
    const file = { [`${ID}/subagents/agent-a1.jsonl`]: asText(agent("a1", "Look at zircon", "/p/a.ts")) }
    const both = await sessionWith(lines, file)
    expect(parts(both.entries).map(({ name }) => name)).toEqual(["subagents/agent-a1.jsonl"])
    expect(sessionStats(both.entries).total).toMatchObject({ calls: 3, input: 13 })
  })

  it("are the session where its own file is gone", async () => {
    const { pathOf, storage } = await folderOfTest()
    const folder = pathOf(ID, CWD).replace(/\.jsonl$/, "")
    await mkdir(join(folder, "subagents"), { recursive: true })
    await mkdir(join(dirname(folder), "memory"))
    await writeFile(join(folder, "subagents", "agent-a0.jsonl"), "")
    await writeFile(join(folder, "subagents", "agent-a1.jsonl"), asText(agent("a1", "Look at zircon", "/p/a.ts")))
    const other = ID.replaceAll("1", "2")
    const beside = asText(agent("b1", "Look at zircon", "/p/b.ts")).replaceAll(ID, other)
    await writeFile(join(dirname(folder), "agent-b1.jsonl"), beside)
    await writeFile(join(dirname(folder), "agent-c1.jsonl"), beside.replaceAll(other, "../c"))
    const sessions = new SessionManager({ storage })
    const listed: SessionInfo[] = []
    for await (const one of sessions.listAll()) listed.push(one)
    const empty = { cwd: CWD, kind: "empty", firstMessage: "" }
    expect(listed.sort((a, b) => (a.id < b.id ? -1 : 1))).toMatchObject([
      { id: ID, ...empty },
      { id: other, ...empty },
    ])
    const session = await sessions.open(ID, { access: "read" })
    expect(session.getHeader()).toMatchObject({ id: ID, cwd: CWD })
    expect(sessionStats(session.getEntries()).total).toMatchObject({ calls: 1, input: 10 })
    expect(session.getEntries().flatMap((entry) => partOf(entry)?.title ?? [])).toEqual(["Look at zircon"])
    expect((await storage.report(pathOf(ID, CWD))).diagnostics).toMatchObject([{ kind: "unreadable-part" }])
  })

  it.each([
    ["empty", ""],
    ["torn", '{"type":"user","mess'],
    ["of another program", '{"kind":"x"}\n{"kind":"y"}\n'],
  ])("in a file that is %s are reported, kept as they are, and cost nothing else", async (_, content) => {
    const name = "subagents/agent-a1.jsonl"
    const { entries, storage, path } = await sessionWith(task, { [`${ID}/${name}`]: content })
    expect(entries.filter(({ type }) => type === "message").map(({ id }) => id)).toEqual(["u", "a", "r", "b"])
    expect((await storage.report(path)).diagnostics).toMatchObject([{ kind: "unreadable-part" }])
    expect(entries.flatMap((entry) => partOf(entry)?.error ?? [])).toHaveLength(1)
    expect(await artifactsOf(storage, path)).toEqual({ [name]: content })
  })

  it("with a damaged line among others are reported, with their file", async () => {
    const name = "subagents/agent-a1.jsonl"
    const [first = "", ...rest] = asText(agent("a1", "Look at zircon", "/p/b.ts")).split(/(?<=\n)/)
    const content = `${first}{"type":"user","mess\n${rest.join("")}`
    const { storage, path } = await sessionWith(task, { [`${ID}/${name}`]: content })
    const [found, ...others] = (await storage.report(path)).diagnostics
    expect(found).toMatchObject({
      kind: "invalid-json",
      message: expect.stringMatching(`^${name}: Line 2 is not JSON`),
    })
    expect(others).toEqual([])
  })
})
