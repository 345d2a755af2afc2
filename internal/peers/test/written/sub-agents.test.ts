import { appendFile, chmod, mkdir, mkdtemp, readdir, readFile, realpath, rm, symlink } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join, sep } from "node:path"
import {
  type AgentName,
  openAgent,
  removeAgentSession,
  type WrittenAgentName,
  writeAgentSession,
} from "@treelog/agents"
import {
  ClaudeCodeStorage,
  type ClaudeStore,
  removeClaudeCodeCopy,
  type WriteSessionOptions,
  writeClaudeCode,
  writeSessionStore,
} from "@treelog/agents/claude-code"
import { CodexStorage, removeCodexCopy, writeCodex } from "@treelog/agents/codex"
import { MemorySessionStorage, type Session, SessionManager, type SessionSource } from "@treelog/session-core"
import { partOf } from "@treelog/session-core/adapter"
import { addSubAgent, OF_SUB_AGENT, sampleSession } from "@treelog-internal/test-kit/copied-session"
import { afterEach, beforeEach, describe, expect, it } from "vitest"

type Json = Record<string, unknown>

let root: string
let dir: string
let cwd: string
let env: Record<string, string>
beforeEach(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), "written-")))
  dir = join(root, "opencode")
  cwd = join(root, "shop")
  for (const folder of [join(root, "bin"), dir, cwd]) await mkdir(folder)
  const standIn = new URL("stand-in-opencode.mjs", import.meta.url).pathname
  await chmod(standIn, 0o755)
  await symlink(standIn, join(root, "bin", "opencode"))
  env = { HOME: root, PATH: `${join(root, "bin")}:${process.env.PATH}` }
})
afterEach(() => rm(root, { recursive: true, force: true }))

interface Target {
  readonly agent: string
  readonly write: typeof writeClaudeCode
  open(): Promise<SessionSource>
  remove(path: string): Promise<boolean>
  /** What the sub-agent called, in the names of the agent. */
  readonly call: Json
  /** Of an agent that keeps transcripts in files of their own. */
  readonly isOwnFile?: RegExp
  /** Whether sub-agents of sub-agents have a place there. */
  readonly isNesting?: boolean
}

const of = (agent: WrittenAgentName & AgentName, call: Json, isOwnFile?: RegExp): Target => ({
  agent,
  write: (session, options) => writeAgentSession(agent, session, options),
  open: async () => openAgent(agent, { dir, env: {}, cacheDir: null }),
  async remove(path) {
    const { PATH, HOME } = process.env
    Object.assign(process.env, env)
    return removeAgentSession(agent, path).finally(() => Object.assign(process.env, { PATH, HOME }))
  },
  call,
  ...(isOwnFile && { isOwnFile }),
})

const TARGETS: Target[] = [
  {
    agent: "claude-code",
    write: writeClaudeCode,
    open: async () => new ClaudeCodeStorage({ dir, env: {}, cacheDir: null }),
    remove: removeClaudeCodeCopy,
    call: { name: "Bash", arguments: { command: "ls" } },
    isOwnFile: /\/subagents\/agent-a[\da-f]{16}\.jsonl$/,
    isNesting: true,
  },
  {
    agent: "codex",
    write: writeCodex,
    open: async () => new CodexStorage({ dir, env: {}, cacheDir: null }),
    remove: removeCodexCopy,
    call: { name: "exec_command", arguments: { cmd: "ls" } },
    isOwnFile: /^sessions\/.*\/rollout-.*\.jsonl$/,
    isNesting: true,
  },
  of(
    "gemini",
    { name: "run_shell_command", arguments: { command: "ls" } },
    /\/chats\/[\da-f-]{36}\/[\da-f-]{36}\.jsonl$/,
  ),
  of(
    "qwen",
    { name: "run_shell_command", arguments: { command: "ls" } },
    /\/subagents\/[\da-f-]{36}\/agent-.*\.jsonl$/,
  ),
  of("copilot", { name: "bash", arguments: { command: "ls", description: "ls" } }),
  { ...of("opencode", { name: "bash", arguments: { command: "ls" } }), isNesting: true },
]

const DEEP = "It is deep."

/** Sub-agents of which the first has started one of its own. */
async function addNested(transcripts: ReturnType<typeof addSubAgent>): Promise<ReturnType<typeof addSubAgent>> {
  const from = {
    provider: "anthropic",
    api: "anthropic-messages",
    model: "claude-opus-4-1",
    stopReason: "stop",
  } as const
  const text = (text: string) => [{ type: "text" as const, text }]
  const all: { name: string; session: Session }[] = []
  for await (const { name, session: outer } of transcripts()) {
    const inner = new SessionManager({ storage: new MemorySessionStorage() }).inMemory(outer.getCwd())
    inner.appendMessage(said("Look deeper", "2026-11-20T12:00:00Z"))
    const timestamp = Date.parse("2026-11-20T12:00:01Z")
    inner.appendMessage({ role: "assistant", content: text(DEEP), ...from, timestamp })
    const [header, entries] = [outer.getHeader(), outer.getEntries()]
    const session = new SessionManager({ storage: new MemorySessionStorage() }).inMemory(header.cwd, {
      header,
      entries,
    })
    const args = { description: "Look deeper", prompt: "Look deeper", subagent_type: "general-purpose" }
    const content = [{ type: "toolCall" as const, id: "toolu_8", name: "Agent", arguments: args }]
    session.appendMessage({ role: "assistant", content, ...from, stopReason: "toolUse", timestamp })
    const result = { role: "toolResult", toolCallId: "toolu_8", toolName: "Agent", isError: false } as const
    session.appendMessage({ ...result, content: text(DEEP), timestamp })
    const deep = "subagents/agent-a2.jsonl"
    session.appendCustomEntry("treelog.part", { name: deep, role: "subagent", call: "toolu_8", title: "Look deeper" })
    session.appendMessage({ role: "assistant", content: text("It is."), ...from, timestamp })
    all.push({ name: deep, session: inner }, { name, session })
  }
  return async function* () {
    yield* all
  }
}

/** The transcripts of a session, by their names. */
async function transcriptsIn(storage: SessionSource, path: string): Promise<Map<string, Session>> {
  const found = new Map<string, Session>()
  for await (const { name, chunks } of storage.artifacts(path)) {
    let text = ""
    for await (const bytes of chunks ?? []) text += Buffer.from(bytes).toString("utf8")
    const [header, ...entries] = text
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line))
    found.set(
      name,
      new SessionManager({ storage: new MemorySessionStorage() }).inMemory(header.cwd, { header, entries }),
    )
  }
  return found
}

const said = (content: string, time: string) => ({ role: "user" as const, content, timestamp: Date.parse(time) })

async function filesIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) =>
      join(parentPath, name)
        .slice(folder.length + 1)
        .replaceAll(sep, "/"),
    )
}

async function pathOf(storage: SessionSource, id: string): Promise<string> {
  for await (const one of new SessionManager({ storage }).listAll()) if (one.id === id) return one.path
  throw new Error(`${id} is not listed.`)
}

describe.each(TARGETS)(
  "a session that is written for $agent",
  ({ agent, write: writer, open, remove, call, isOwnFile, isNesting = false }) => {
    let source: Session
    let transcripts: ReturnType<typeof addSubAgent>
    beforeEach(async () => {
      source = await sampleSession(cwd, false)
      transcripts = addSubAgent(source)
    })
    const write = (more: WriteSessionOptions = {}) =>
      writer(source, { dir, env, from: "claude-code", transcripts, ...more })

    /** The sub-agents of a copy, as its agent's reader finds them: their calls, and the messages of their transcripts. */
    async function subAgentsOf(id: string): Promise<{ part: ReturnType<typeof partOf>; messages: Json[] }[]> {
      const storage = await open()
      const path = await pathOf(storage, id)
      const session = await new SessionManager({ storage }).open(path, { access: "read" })
      const parts = session.getEntries().flatMap((entry) => partOf(entry) ?? [])
      await session.close()
      const found = [...(await transcriptsIn(storage, path))].map(([name, opened]) => ({
        part: parts.find((part) => part.name === name),
        messages: opened.buildSessionContext().messages as unknown as Json[],
      }))
      expect(found).toHaveLength(parts.length)
      return found
    }

    it("has the transcripts of its sub-agents with their calls, and lists none of them", async () => {
      const { id, receipt } = await write()
      expect(receipt.subAgents).toMatchObject({ outcome: "preserved", source: 1, preserved: 1 })
      const [subAgent, ...more] = await subAgentsOf(id)
      expect(more).toEqual([])
      expect(subAgent?.part).toMatchObject({ role: "subagent", call: "toolu_6" })
      const blocks = (subAgent?.messages ?? []).map(({ role, content }) => ({
        role,
        blocks: (typeof content === "string" ? [{ type: "text", text: content }] : (content as Json[])).map(
          ({ text, name, arguments: args }) => text ?? { name, arguments: args },
        ),
      }))
      expect(blocks).toEqual([
        { role: "user", blocks: ["Find the sum"] },
        { role: "assistant", blocks: [call] },
        { role: "toolResult", blocks: ["sum.ts"] },
        { role: "assistant", blocks: [OF_SUB_AGENT] },
      ])
      const sessions = new SessionManager({ storage: await open() })
      const listed = []
      for await (const one of sessions.listAll()) listed.push(one)
      expect(listed).toMatchObject([{ id }])
      const { messages } = await sessions.readContext(listed[0]?.path ?? "")
      expect(messages).toHaveLength((await source.readContext()).messages.length + 1)
    })

    it("gets what a sub-agent has since, and nothing twice", async () => {
      const first = await write()
      expect(await write()).toMatchObject({ id: first.id, status: "unchanged" })
      const files = await filesIn(dir)
      for await (const { session } of transcripts()) {
        const grown = new SessionManager({ storage: new MemorySessionStorage() }).inMemory(cwd, {
          header: session.getHeader(),
          entries: session.getEntries(),
        })
        grown.appendMessage(said("And more.", "2026-11-21T00:00:00Z"))
        const name = "subagents/agent-a1.jsonl"
        transcripts = async function* () {
          yield { name, session: grown }
        }
      }
      source.appendMessage(said("More.", "2026-11-22T00:00:00Z"))
      expect(await write()).toMatchObject({ id: first.id, status: "appended" })
      expect(await write()).toMatchObject({ id: first.id, status: "unchanged" })
      const [subAgent] = await subAgentsOf(first.id)
      expect(subAgent?.messages).toHaveLength(5)
      if (agent !== "opencode") expect(await filesIn(dir)).toEqual(files)
    })

    it(`${isNesting ? "has" : "has not, and says so,"} what a sub-agent of a sub-agent said`, async () => {
      const nested = await addNested(transcripts)
      const { id, path, receipt } = await write({ transcripts: nested })
      expect(receipt.subAgents).toMatchObject(isNesting ? { source: 1, preserved: 1 } : { source: 1, partial: 1 })
      expect(receipt.subAgents.reasons).toEqual(isNesting ? {} : { "in part": 1 })
      const storage = await open()
      const copy = await pathOf(storage, id)
      const read = await transcriptsIn(storage, copy)
      const texts = [...read.values()].map((one) => JSON.stringify(one.getEntries()))
      const deep = texts.filter((text) => text.includes(DEEP) && !text.includes("toolu_8"))
      expect(deep).toHaveLength(isNesting ? 1 : 0)
      expect(read.size).toBe(isNesting ? 2 : 1)
      const sessions = [await new SessionManager({ storage }).open(copy, { access: "read" }), ...read.values()]
      const parts = sessions.flatMap((one) => one.getEntries().flatMap((entry) => partOf(entry) ?? []))
      expect(parts.map(({ name }) => name).sort()).toEqual([...read.keys()].sort())
      expect((await write({ transcripts: nested })).status).toBe("unchanged")
      expect(await remove(path)).toBe(true)
    })

    it("is removed with the transcripts of its sub-agents", async () => {
      const { path } = await write()
      expect(await remove(path)).toBe(true)
      const left = (await filesIn(dir)).filter((name) => !name.startsWith("storage/part/"))
      expect(left.filter((name) => !name.endsWith(".project_root"))).toEqual(
        agent === "codex" ? ["session_index.jsonl"] : [],
      )
    })

    it.runIf(isOwnFile)("stays where its agent went on with a sub-agent", async () => {
      const { path } = await write()
      const files = (await filesIn(dir)).filter((name) => isOwnFile?.test(name) && join(dir, name) !== path)
      expect(files).toHaveLength(1)
      const file = join(dir, files[0] ?? "")
      await appendFile(file, '{"type":"info"}\n')
      const text = await readFile(file, "utf8")
      expect(await remove(path)).toBe(false)
      expect((await write()).status).toBe("unchanged")
      expect(await readFile(file, "utf8")).toBe(text)
    })
  },
)

it("says that a transcript is not complete where its thoughts are left out", async () => {
  const source = await sampleSession(cwd, false)
  const transcripts = addSubAgent(source)
  const thinking = { type: "thinking", thinking: "Hm.", thinkingSignature: "c2lnbmVk" }
  const write = async () => {
    for await (const { name, session } of transcripts()) {
      const entries = [...session.getEntries()]
      const part = new SessionManager({ storage: new MemorySessionStorage() }).inMemory(cwd, {
        header: session.getHeader(),
        entries,
      })
      const from = { provider: "anthropic", api: "anthropic-messages", model: "claude-opus-4-1" } as const
      part.appendMessage({
        role: "assistant",
        content: [thinking] as unknown as [],
        ...from,
        stopReason: "stop",
        timestamp: 1,
      })
      const opened = async function* () {
        yield { name, session: part }
      }
      return writeAgentSession("qwen", source, { dir, from: "claude-code", transcripts: opened })
    }
  }
  expect((await write())?.receipt.subAgents).toMatchObject({ partial: 1, reasons: { "in part": 1 } })
})

it("has the transcripts of sub-agents in a session store, below the session", async () => {
  const stored = new Map<string, Parameters<ClaudeStore["append"]>[1]>()
  const store: ClaudeStore = {
    append: async (key, entries) => void stored.set(JSON.stringify(key), entries),
    load: async (key) => stored.get(JSON.stringify(key)) ?? null,
  }
  const source = await sampleSession(cwd, false)
  const options = { projectKey: "shop", from: "claude-code", transcripts: addSubAgent(source) }
  const { id, status } = await writeSessionStore(source, store, options)
  expect(status).toBe("created")
  const keys = [...stored.keys()].map((key) => JSON.parse(key))
  const subpath = expect.stringMatching(/^subagents\/agent-a[\da-f]{16}$/)
  expect(keys).toEqual([
    { projectKey: "shop", sessionId: id, subpath },
    { projectKey: "shop", sessionId: id },
  ])
  expect(await writeSessionStore(source, store, options)).toMatchObject({ id, status: "unchanged" })
})
