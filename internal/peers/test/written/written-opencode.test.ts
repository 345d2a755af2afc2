import { chmod, mkdir, mkdtemp, readdir, readFile, realpath, rm, symlink, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { openAgent, removeAgentSession, writeAgentSession } from "@treelog/agents"
import { MemorySessionStorage, type Session, SessionManager } from "@treelog/session-core"
import { convertToLlm, repairContext } from "@treelog/session-core/messages"
import { assistantMessage } from "@treelog-internal/test-kit"
import { FIRST, NAME, sampleSession, unnamedSession } from "@treelog-internal/test-kit/copied-session"
import { everyKindSession } from "@treelog-internal/test-kit/generator"
import { afterEach, beforeEach, expect, it } from "vitest"

type Json = Record<string, unknown>

/** What opencode asks where it compacts. */
const QUESTION = "What did we do so far?"
const STAND_IN = new URL("stand-in-opencode.mjs", import.meta.url).pathname

let root: string
let env: Record<string, string>
let dir: string
let cwd: string
beforeEach(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), "written-")))
  const bin = join(root, "bin")
  dir = join(root, "opencode")
  cwd = join(root, "shop")
  for (const folder of [bin, dir, cwd]) await mkdir(folder)
  await chmod(STAND_IN, 0o755)
  await symlink(STAND_IN, join(bin, "opencode"))
  env = { HOME: root, PATH: `${bin}:${process.env.PATH}` }
})
afterEach(() => rm(root, { recursive: true, force: true }))

const write = (session: Session, more: object = {}) =>
  writeAgentSession("opencode", session, { dir, env, from: "claude-code", ...more })

const fileOf = (id: string): string => join(dir, "storage", "session", "global", `${id}.json`)

interface Stored {
  readonly info: Json & { readonly id: string; readonly role: string; readonly time: { readonly created: number } }
  readonly parts: readonly Json[]
}

async function messagesOf(id: string): Promise<Stored[]> {
  const read = async (...path: string[]) => JSON.parse(await readFile(join(dir, "storage", ...path), "utf8"))
  const names = (await readdir(join(dir, "storage", "message", id))).sort()
  return Promise.all(
    names.map(async (name) => {
      const info = await read("message", id, name)
      const parts = (await readdir(join(dir, "storage", "part", info.id))).sort()
      return { info, parts: await Promise.all(parts.map((part) => read("part", info.id, part))) }
    }),
  )
}

/** What opencode sends of messages, from the last summary on: texts, pictures, calls and their results. */
function sentOf(messages: readonly Stored[]): Json[] {
  const last = messages.map(({ info }) => info.summary === true).lastIndexOf(true)
  return messages.slice(Math.max(last, 0)).flatMap(({ info: { role, summary }, parts }): Json[] => {
    const sent = parts.filter(({ ignored }) => ignored !== true)
    const texts = sent.flatMap(({ type, text, url }) =>
      type === "text" ? [text] : type === "file" ? [dataIn(url)] : [],
    )
    const calls = sent.filter(({ type }) => type === "tool")
    const results = calls.map(({ state }) => {
      const { status, output, error, attachments = [] } = state as Json & { attachments?: Json[] }
      const pictures = attachments.map(({ url }) => dataIn(url))
      return {
        role: "toolResult",
        texts: [status === "error" ? error : output, ...pictures],
        isError: status === "error",
      }
    })
    return [{ role: summary === true ? "user" : role, texts }, ...calls.map(() => ({ call: true })), ...results]
  })
}

function dataIn(url: unknown): string {
  return String(url).replace(/^data:[^,]*,/, "")
}

/** What a model gets of a session. A failure has no pictures in opencode. */
function ownOf(messages: Parameters<typeof convertToLlm>[0]): Json[] {
  return repairContext(convertToLlm(messages).messages, { turns: false }).messages.flatMap((message): Json[] => {
    const { role, content, isError = false } = message as unknown as Json
    const blocks = (typeof content === "string" ? [{ type: "text", text: content }] : content) as Json[]
    const words = blocks.flatMap(({ type, text }) => (type === "text" && text !== "" ? [text] : []))
    const pictures = blocks.flatMap(({ type, data }) => (type === "image" ? [data] : []))
    const calls = blocks.filter(({ type }) => type === "toolCall").map(() => ({ call: true }))
    if (role === "toolResult") return [{ role, texts: [words.join("\n"), ...(isError ? [] : pictures)], isError }]
    const texts = blocks.flatMap(({ type, text, data }) => (type === "text" ? [text] : type === "image" ? [data] : []))
    return texts.length + calls.length === 0 ? [] : [{ role, texts: texts.filter((text) => text !== "") }, ...calls]
  })
}

/** Results of a reply stand with their calls. */
function inAnyOrder(blocks: readonly Json[]): string[] {
  return blocks.map((block) => JSON.stringify(block)).sort()
}

it.each([false, true])("is listed with its name, and read again (compacted: %s)", async (isCompacted) => {
  const { id, receipt } = await write(await sampleSession(cwd, isCompacted))
  const sessions = new SessionManager({ storage: await openAgent("opencode", { dir, env: {}, cacheDir: null }) })
  const listed = []
  for await (const one of sessions.listAll()) listed.push(one)
  expect(listed).toMatchObject([{ id, name: NAME, cwd, firstMessage: FIRST }])
  const { messages } = await sessions.readContext(fileOf(id))
  expect(messages.at(-1)).toMatchObject({ role: "assistant", content: [{ type: "text", text: "I am." }] })
  expect(JSON.stringify(messages).includes("It is a constant.")).toBe(!isCompacted)
  for (const { source, preserved, partial, evidence, dropped } of Object.values(receipt))
    expect(preserved + partial + evidence + dropped).toBe(source)
  expect(JSON.parse(await readFile(fileOf(id), "utf8"))).toMatchObject({ metadata: { treelog: { receipt } } })
})

it("has a line of its first prompt as its title, where it has no name", async () => {
  const { id } = await write(unnamedSession(cwd))
  expect(JSON.parse(await readFile(fileOf(id), "utf8"))).toMatchObject({ title: "Where is it?" })
})

it("changes nothing when it runs again, adds what the source has since, and never touches what opencode wrote", async () => {
  const source = await sampleSession(cwd, true)
  const first = await write(source)
  expect(first.status).toBe("created")
  expect((await write(source)).status).toBe("unchanged")
  const before = await messagesOf(first.id)
  source.appendMessage({ role: "user", content: "More.", timestamp: Date.parse("2026-11-21T00:00:00Z") })
  expect(await write(source)).toMatchObject({ status: "appended", id: first.id })
  expect((await messagesOf(first.id)).slice(0, before.length)).toEqual(before)
  expect((await messagesOf(first.id)).length).toBe(before.length + 1)
  const own = {
    id: "msg_22536e06c0010Xy0gwawLLs9Tb",
    role: "user",
    time: { created: Date.parse("2026-11-22T00:00:00Z") },
  }
  await writeFile(join(dir, "storage", "message", first.id, `${own.id}.json`), JSON.stringify(own))
  await mkdir(join(dir, "storage", "part", own.id))
  expect((await write(source)).status).toBe("continued")
  source.appendMessage({ role: "user", content: "And more.", timestamp: Date.parse("2026-11-23T00:00:00Z") })
  const continued = await messagesOf(first.id)
  const other = await write(source)
  expect(other.status).toBe("created")
  expect(other.id).not.toBe(first.id)
  expect(await messagesOf(first.id)).toEqual(continued)
  expect((await write(source)).id).toBe(other.id)
})

it("makes a copy again that ends otherwise than its source now, where opencode wrote nothing in it", async () => {
  const source = await sampleSession(cwd, false)
  const [answer] = source.getBranch().slice(-1)
  const call = { type: "toolCall", id: "toolu_9", name: "Bash", arguments: { command: "ls" } }
  source.appendMessage({
    ...(answer as unknown as { message: Parameters<Session["appendMessage"]>[0] }).message,
    content: [call],
  } as Parameters<Session["appendMessage"]>[0])
  const first = await write(source)
  source.appendMessage({
    role: "toolResult",
    toolCallId: "toolu_9",
    toolName: "Bash",
    content: [{ type: "text", text: "sum.ts" }],
    isError: false,
    timestamp: Date.parse("2026-11-21T00:00:00Z"),
  })
  expect(await write(source)).toMatchObject({ id: first.id, status: "appended" })
  expect(sentOf(await messagesOf(first.id)).at(-1)).toMatchObject({ texts: ["sum.ts"] })
})

it("leaves nothing of a session that opencode refuses, and names a program that is not there", async () => {
  const source = await sampleSession(cwd, false)
  await expect(write(source, { env: { ...env, REFUSED: "assistant" } })).rejects.toMatchObject({
    code: "StorageError",
    message: expect.stringContaining("Invalid message"),
  })
  expect(await readdir(join(dir, "storage", "session", "global"))).toEqual([])
  await expect(write(source, { env: { HOME: root, PATH: "/nowhere" } })).rejects.toMatchObject({ code: "StorageError" })
  await expect(write(source, { dir: root })).rejects.toMatchObject({ code: "InvalidArgumentError" })
})

it("removes a copy, and no session that opencode made or went on with", async () => {
  const { id, path } = await write(await sampleSession(cwd, false))
  const { PATH, HOME } = process.env
  Object.assign(process.env, env)
  try {
    expect(await removeAgentSession("opencode", join(path, "..", "ses_ddac923e9ffeLb7wHhqZ1pCXYF"))).toBe(false)
    expect(await removeAgentSession("opencode", path, { dryRun: true })).toBe(true)
    expect(await readdir(join(dir, "storage", "session", "global"))).toEqual([`${id}.json`])
    expect(await removeAgentSession("opencode", path)).toBe(true)
    expect(await removeAgentSession("opencode", path)).toBe(false)
  } finally {
    Object.assign(process.env, { PATH, HOME })
  }
  expect(await readdir(join(dir, "storage", "session", "global"))).toEqual([])
})

it.each([1, 2, 3])(
  "has everything that a session has, in ids and times that go up, on each branch (%i)",
  async (seed) => {
    const { lines, leaves, counts } = everyKindSession(seed, 200)
    const [header, ...entries] = lines.map((line) => JSON.parse(line))
    const source = new SessionManager({ storage: new MemorySessionStorage() }).inMemory(cwd, {
      header: { ...header, cwd },
      entries,
    })
    for (const leaf of leaves) {
      const { id, receipt } = await write(source, { from: "treelog", leaf })
      const messages = await messagesOf(id)
      const times = messages.map(({ info }) => info.time.created)
      expect(times).toEqual([...times].sort((a, b) => a - b))
      const calls = messages.flatMap(({ parts }) => parts.filter(({ type }) => type === "tool"))
      expect(calls.every(({ state }) => (state as Json).status !== "pending")).toBe(true)
      const own = ownOf((await source.readContext({ leafId: leaf })).messages)
      expect(inAnyOrder(sentOf(messages))).toEqual(inAnyOrder(own))
      for (const { source: all, preserved, partial, evidence, dropped } of Object.values(receipt))
        expect(preserved + partial + evidence + dropped).toBe(all)
      expect(receipt.calls.source).toBe(counts.calls)
    }
  },
)

const texts = (type: string, text: string) => [{ type, text }]

it.each([
  [
    "codex",
    (source: Session) => {
      const replacementHistory = [
        { type: "message", role: "user", content: texts("input_text", QUESTION) },
        { type: "message", role: "assistant", content: texts("output_text", "They were added.") },
      ]
      const preserveData = { openaiRemoteCompaction: { provider: "local", replacementHistory } }
      source.appendCompaction("They were added.", undefined, 10, undefined, undefined, { preserveData })
    },
  ],
  [
    "copilot",
    (source: Session) => {
      const sentAs = [{ role: "user", content: `Some was said.\n<summary>\n${QUESTION}\n</summary>` }]
      source.appendCompaction(QUESTION, undefined, 10, undefined, undefined, { sentAs } as object)
      source.appendMessage(assistantMessage("They were added."))
    },
  ],
  [
    "claude-code",
    (source: Session) => {
      source.appendCompaction(QUESTION, undefined, 10)
      source.appendMessage(assistantMessage("They were added."))
    },
  ],
] as const)("asks once for a summary that opencode made, where %s kept its question", async (from, compact) => {
  const source = new SessionManager({ storage: new MemorySessionStorage() }).inMemory(cwd)
  source.appendMessage({ role: "user", content: "Add them", timestamp: 1 })
  compact(source)
  source.appendMessage({ role: "user", content: QUESTION, timestamp: 2 })
  const { id } = await write(source, { from })
  const messages = await messagesOf(id)
  expect(sentOf(messages).map(({ texts }) => texts)).toEqual([["They were added."], [QUESTION]])
  expect(messages.map(({ info: { role, summary } }) => summary ?? role)).toEqual(["user", "user", true, "user"])
})
