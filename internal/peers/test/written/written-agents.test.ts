import { appendFile, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { openAgent, removeAgentSession, writeAgentSession } from "@treelog/agents"
import { MemorySessionStorage, type Session, SessionManager } from "@treelog/session-core"
import { convertToLlm, repairContext } from "@treelog/session-core/messages"
import { FIRST, NAME, sampleSession, unnamedSession } from "@treelog-internal/test-kit/copied-session"
import { everyKindSession } from "@treelog-internal/test-kit/generator"
import { afterEach, beforeEach, describe, expect, it } from "vitest"

type Json = Record<string, unknown>

const CWD = "/srv/shop"

let dir: string
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), "written-"))
})
afterEach(() => rm(dir, { recursive: true, force: true }))

async function linesOf(path: string): Promise<Json[]> {
  const text = await readFile(path, "utf8")
  expect(text.endsWith("\n")).toBe(true)
  return text
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line))
}

/** What a model gets of messages: texts and images with their role, the names of calls and their arguments, results. Thinking is only for its own model. */
function said(messages: Parameters<typeof convertToLlm>[0]): Json[] {
  return repairContext(convertToLlm(messages).messages, { turns: false }).messages.flatMap((message): Json[] => {
    const { role, content, isError = false } = message as unknown as Json
    const blocks = (typeof content === "string" ? [{ type: "text", text: content }] : content) as Json[]
    const texts = blocks.flatMap(({ type, text, data }) =>
      type === "text" ? [summaryIn(text)] : type === "image" ? [data] : [],
    )
    const calls = blocks.filter(({ type }) => type === "toolCall").map(({ name, arguments: args }) => ({ name, args }))
    return [{ role, texts, ...(role === "toolResult" && { isError }) }, ...calls]
  })
}

/** Copies have the results of a reply in the order of its calls. */
function inAnyOrder(blocks: readonly Json[]): Json[] {
  const runs: Json[][] = []
  for (const block of blocks) {
    const last = runs.at(-1)
    if (block.role === "toolResult" && last?.[0]?.role === "toolResult") last.push(block)
    else runs.push([block])
  }
  return runs.flatMap((run) => run.sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1)))
}

/** Of a prompt that Gemini CLI would leave out, the word before it. */
function withWord(block: Json): Json {
  const texts = block.texts as string[] | undefined
  return block.role === "user" && /^\s*[/?]/.test(texts?.[0] ?? "")
    ? { ...block, texts: ["Prompt: ", ...(texts ?? [])] }
    : block
}

/** Copilot CLI joins texts, has words before pictures, and sends none of results. */
function joined(block: Json): Json {
  const { role, texts = [] } = block as { role?: string; texts?: string[] }
  if (block.texts === undefined) return block
  const isPicture = (text: string): boolean => text.startsWith("iVBORw0KGgo")
  const words = texts.filter((text) => !isPicture(text) && text !== "Attached image").join("\n")
  return { ...block, texts: [words, ...(role === "user" ? texts.filter(isPicture) : [])] }
}

/** What is sent of a summary: Claude Code sends no words around it, and Copilot CLI its own. */
function summaryIn(text: unknown): unknown {
  const words = /^(?:The|Some of the) conversation history [\s\S]*?<summary>\n([\s\S]*?)\n<\/summary>$/
  return words.exec(String(text))?.[1] ?? text
}

/** Replaces the calls among what was said. */
function withCalls(blocks: readonly Json[], calls: readonly Json[]): Json[] {
  const left = [...calls]
  return blocks.map((block) => ("name" in block ? (left.shift() ?? block) : block))
}

/** A call of the sample in the names of both agents. @param lines which lines of the file are read */
const calls = (lines: Json): Json[] => [
  { name: "run_shell_command", args: { command: "cat sum.ts", description: "Read it" } },
  { name: "read_file", args: { file_path: `${CWD}/sum.ts`, ...lines } },
  { name: "read_file", args: { file_path: "one.png" } },
  { name: "mcp__local__look", args: { at: "it" } },
  { name: "run_shell_command", args: { command: "sleep 100" } },
]

const copilotCalls: Json[] = [
  { name: "bash", args: { command: "cat sum.ts", description: "Read it" } },
  { name: "view", args: { path: `${CWD}/sum.ts`, view_range: [1, 20] } },
  { name: "view", args: { path: "one.png" } },
  { name: "mcp__local__look", args: { at: "it" } },
  { name: "bash", args: { command: "sleep 100", description: "sleep 100" } },
]

describe.each([
  { agent: "gemini" as const, sample: calls({ end_line: 20 }), thinking: "evidence" },
  { agent: "qwen" as const, sample: calls({ limit: 20 }), thinking: "dropped" },
  { agent: "copilot" as const, sample: copilotCalls, thinking: "evidence" },
])("a session that is written for $agent", ({ agent, sample, thinking }) => {
  const write = (session: Session, more: object = {}) =>
    writeAgentSession(agent, session, { dir, from: "claude-code", ...more })

  /** What the agent sends otherwise, on both sides. */
  const asSent = (block: Json): Json =>
    agent === "copilot" ? joined(block) : agent === "gemini" ? withWord(block) : block

  async function read(path: string): Promise<Json[]> {
    const sessions = new SessionManager({ storage: await openAgent(agent, { dir, env: {}, cacheDir: null }) })
    return said((await sessions.readContext(path)).messages)
  }

  it.each([false, true])(
    "is listed with its name, and gives the context again (compacted: %s)",
    async (isCompacted) => {
      const source = await sampleSession(CWD, isCompacted)
      const { id, path } = await write(source)
      const sessions = new SessionManager({ storage: await openAgent(agent, { dir, env: {}, cacheDir: null }) })
      const listed = []
      for await (const one of sessions.listAll()) listed.push(one)
      expect(listed).toMatchObject([{ id, path, name: NAME, cwd: CWD, firstMessage: FIRST }])
      const own = said((await source.readContext()).messages)
      expect((await read(path)).map(asSent)).toEqual(
        withCalls(own, isCompacted ? sample.slice(-1) : sample).map(asSent),
      )
    },
  )

  it("is listed with a line of its first prompt, where it has no name", async () => {
    const source = unnamedSession(CWD)
    await write(source)
    const sessions = new SessionManager({ storage: await openAgent(agent, { dir, env: {}, cacheDir: null }) })
    const names = []
    for await (const { name } of sessions.listAll()) names.push(name)
    expect(names).toEqual(["Where is it?"])
  })

  it("has the results of a reply in the order of its calls", async () => {
    const source = await sampleSession(CWD, false)
    const ids = ["toolu_1", "toolu_2", "toolu_3", "toolu_4"]
    const from = { provider: "anthropic", api: "anthropic-messages", model: "claude-opus-4-1" } as const
    const content = ids.map((id) => ({ type: "toolCall" as const, id, name: "Glob", arguments: { pattern: id } }))
    source.appendMessage({ role: "assistant", content, ...from, stopReason: "toolUse", timestamp: 1 })
    for (const toolCallId of ["toolu_4", "toolu_2", "toolu_3", "toolu_1"]) {
      const text = [{ type: "text" as const, text: toolCallId }]
      source.appendMessage({
        role: "toolResult",
        toolCallId,
        toolName: "Glob",
        content: text,
        isError: false,
        timestamp: 2,
      })
    }
    const { path } = await write(source)
    const written = (await read(path)).filter(({ role }) => role === "toolResult")
    expect(written.slice(-4).map(({ texts }) => texts)).toEqual(ids.map((id) => [id]))
  })

  it("counts what becomes of each piece of the source", async () => {
    const { receipt } = await write(await sampleSession(CWD, true))
    const counts = Object.entries(receipt).map(([axis, { outcome, source, preserved, partial, evidence, dropped }]) => {
      expect(preserved + partial + evidence + dropped).toBe(source)
      return [axis, outcome, source]
    })
    expect(counts).toEqual([
      ["text", "dropped", 14],
      ["thinking", thinking, 1],
      ["calls", "partial", 5],
      ["results", "preserved", 4],
      ["images", agent === "copilot" ? "evidence" : "preserved", 2],
      ["branches", "dropped", 2],
      ["subAgents", "absent", 0],
      ["usage", "absent", 0],
      ["names", "preserved", 1],
      ["compactions", agent === "copilot" ? "partial" : "preserved", 1],
    ])
    expect(receipt.text.reasons).toEqual({ "on another branch": 2 })
    expect(receipt.calls.reasons).toEqual({ "under its own name": 1, renamed: 3, "without a result": 1 })
  })

  it("changes nothing when it runs again, appends what the source has since, and never touches what the agent wrote", async () => {
    const source = await sampleSession(CWD, true)
    const first = await write(source)
    expect(first.status).toBe("created")
    expect((await write(source)).status).toBe("unchanged")
    source.appendMessage({ role: "user", content: "More.", timestamp: Date.parse("2026-11-21T00:00:00Z") })
    expect(await write(source)).toMatchObject({ status: "appended", id: first.id, path: first.path })
    await appendFile(first.path, `${JSON.stringify({ type: "info", id: "1", content: "Hello" })}\n`)
    const continued = await readFile(first.path, "utf8")
    expect((await write(source)).status).toBe("continued")
    source.appendMessage({ role: "user", content: "And more.", timestamp: Date.parse("2026-11-23T00:00:00Z") })
    const other = await write(source)
    expect(other.status).toBe("created")
    expect(other.id).not.toBe(first.id)
    expect(await readFile(first.path, "utf8")).toBe(continued)
    expect((await write(source)).id).toBe(other.id)
    expect(await removeAgentSession(agent, first.path)).toBe(false)
    expect(await removeAgentSession(agent, other.path)).toBe(true)
    const files = await readdir(dir, { recursive: true })
    expect(files.filter((name) => name.includes(other.id.slice(0, 8)))).toEqual([])
    expect(files.some((name) => name.includes(first.id.slice(0, 8)))).toBe(true)
  })

  it("ends earlier, and begins with the last summary", async () => {
    const source = await sampleSession(CWD, true)
    const [, , answer] = source.getBranch()
    const part = await write(source, { leaf: answer?.id })
    const short = await write(source, { fromSummary: true })
    expect(JSON.stringify(await linesOf(part.path))).not.toContain("It is a constant.")
    const summary = JSON.stringify(await linesOf(short.path))
    expect(summary).toContain("They looked for a wrong sum.")
    expect(summary).not.toContain("A pixel.")
    expect(new Set([part.id, short.id, (await write(source)).id]).size).toBe(3)
  })

  it("is not written in a dry run, without a word, and where the agent was never used", async () => {
    const source = await sampleSession(CWD, false)
    expect((await write(source, { dryRun: true })).status).toBe("created")
    expect(await readdir(dir)).toEqual([])
    const empty = new SessionManager({ storage: new MemorySessionStorage() }).inMemory(CWD)
    await expect(write(empty)).rejects.toMatchObject({ code: "InvalidArgumentError" })
    await rm(dir, { recursive: true })
    await expect(write(source)).rejects.toMatchObject({ code: "InvalidArgumentError" })
    await expect(readdir(dir)).rejects.toThrow()
  })

  it.each([[1, 5_000], ...[2, 3, 4, 5, 6].map((seed) => [seed, 200] as const)] as const)(
    "has everything that a session has, with the same context on each branch (%i)",
    async (seed, size) => {
      const { lines, leaves, counts } = everyKindSession(seed, size)
      const [header, ...entries] = lines.map((line) => JSON.parse(line))
      const source = new SessionManager({ storage: new MemorySessionStorage() }).inMemory(CWD, { header, entries })
      for (const leaf of leaves) {
        const { path, receipt } = await write(source, { from: "treelog", leaf })
        const own = said((await source.readContext({ leafId: leaf })).messages)
        const written = await read(path)
        expect(written).toHaveLength(own.length)
        const names = written.filter((block) => "name" in block)
        const sent = withCalls(own, names).map(asSent)
        expect(inAnyOrder(written.map(asSent))).toEqual(inAnyOrder(sent))
        for (const { source: all, preserved, partial, evidence, dropped } of Object.values(receipt))
          expect(preserved + partial + evidence + dropped).toBe(all)
        expect(receipt.calls.source).toBe(counts.calls)
        expect(receipt.images.source).toBe(counts.imagesInPrompts + counts.imagesInResults)
        expect(receipt.thinking.source).toBe(counts.signedThinking + counts.unsignedThinking)
        expect(receipt.branches).toMatchObject({ source: 2, preserved: 1, dropped: 1 })
      }
    },
  )
})

describe("a session that is written for gemini", () => {
  const write = async (session: Session) => writeAgentSession("gemini", session, { dir, from: "claude-code" })
  const owner = (slug: string) => readFile(join(dir, "tmp", slug, ".project_root"), "utf8")

  it("goes into the folder of its project: the one that Gemini CLI made, its old one, or a free one that says whose it is", async () => {
    const put = async (path: string, text: string): Promise<void> => {
      await mkdir(dirname(join(dir, path)), { recursive: true })
      await writeFile(join(dir, path), text)
    }
    const slugOf = async (cwd: string) => {
      const { path } = await write(await sampleSession(cwd, false))
      return path.slice(join(dir, "tmp").length + 1).split(/[/\\]/)[0]
    }
    await put("projects.json", JSON.stringify({ projects: { "/srv/shop": "named", "/srv/moved": "other" } }))
    await put("tmp/other/.project_root", "/srv/elsewhere")
    await put("tmp/owned/.project_root", "/srv/owned\n")
    await put("tmp/free/.project_root", "/elsewhere/free")
    await put(`tmp/${"7f06e9d60d0df1f9d2e34c7d2a8a0d9e".repeat(2)}/logs.json`, "[]")
    expect(await slugOf("/srv/shop")).toBe("named")
    expect(await slugOf("/srv/owned")).toBe("owned")
    expect(await slugOf("/srv/moved")).toBe("moved")
    expect(await slugOf("/srv/free")).toBe("free-1")
    expect(await slugOf("/srv/Über  uns!")).toBe("ber-uns")
    expect(await owner("free-1")).toBe("/srv/free")
    expect(await owner("named")).toBe("/srv/shop")
    expect(await slugOf("/srv/free")).toBe("free-1")
  })

  it("has a word before a prompt that Gemini CLI would leave out", async () => {
    const source = new SessionManager({ storage: new MemorySessionStorage() }).inMemory(CWD)
    source.appendMessage({ role: "user", content: "/srv/shop/sum.ts is wrong", timestamp: 1 })
    const { path, receipt } = await write(source)
    const [, prompt] = await linesOf(path)
    expect(prompt?.content).toEqual([{ text: "Prompt: " }, { text: "/srv/shop/sum.ts is wrong" }])
    expect(receipt.text).toMatchObject({ source: 1, partial: 1 })
  })
})
