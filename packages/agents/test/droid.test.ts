import { appendFile, mkdir, rm, writeFile } from "node:fs/promises"
import { dirname, join } from "node:path"
import { openAgentStorage } from "@treelog/agents/kit"
import { agentContract } from "@treelog/agents/testing"
import { describe, expect, it, test } from "vitest"
import { droid as agent } from "./door.js"
import { inFolder, linesOf, shortly } from "./in-folder.js"

// Records as Droid 0.215 writes them.
const START = Date.parse("2026-11-25T10:00:00.000Z")
const FOLDER = "sessions/-home-ada-shop"
const PATH = `${FOLDER}/a.jsonl`
let clock = 0

type Fields = Readonly<Record<string, unknown>>

const start = (id: string, more: Fields = {}) => ({
  ...{ type: "session_start", id, title: "One", owner: "unknown", version: 2, cwd: "/home/ada/shop" },
  ...more,
})
function message(role: string, content: unknown, more: Fields = {}) {
  clock++
  const timestamp = new Date(START + clock * 1000).toISOString()
  return { type: "message", id: `m${clock}`, timestamp, message: { role, content, ...more } }
}
const text = (said: string) => [{ type: "text", text: said }]
const say = (said: string, more: Fields = {}) => message("user", text(said), more)
const answer = (said: string, ...more: readonly Fields[]) =>
  message(
    "assistant",
    [
      { type: "thinking", thinking: "I think.", signature: "c2ln", signatureProvider: "anthropic" },
      ...text(said),
      ...more,
    ],
    {
      modelId: "claude-opus-4-5",
    },
  )
const call = (id: string, name = "Read") => ({ type: "tool_use", id, name, input: { file_path: "a" } })
const results = (...given: readonly (readonly [string, unknown, boolean?])[]) =>
  message(
    "user",
    given.map(([tool_use_id, content, is_error = false]) => ({ type: "tool_result", tool_use_id, is_error, content })),
  )
const turn = (said: string) => [say(said), answer("Answer")]
const compaction = (anchor: string, more: Fields = {}) => ({
  ...{ type: "compaction_state", id: `c${anchor}`, timestamp: new Date(START + clock * 1000).toISOString() },
  ...{ summaryText: "All was said.", summaryTokens: 5, summaryKind: "llm_summary", anchorMessage: { id: anchor } },
  ...{ removedCount: 2, systemInfoText: "The system", ...more },
})

async function contextOf(...records: readonly Fields[]) {
  return shortly(await (await inFolder(agent, { [PATH]: [start("a"), ...records] })).contextOf(PATH))
}

test("results, a picture, and what only the model or only the user gets", async () => {
  const source = { type: "base64", media_type: "image/png", data: "cGljdHVyZQ==" }
  const { contextOf, listed } = await inFolder(agent, {
    [PATH]: [
      start("a"),
      say("<system-reminder>\nTools\n</system-reminder>", { visibility: "llm_only" }),
      say("Go"),
      answer("I call.", call("t1"), call("t2")),
      results(["t1", "one"], ["t2", [...text("A picture"), { type: "image", source }]]),
      say("An error of the model", { visibility: "user_only" }),
      say("Background task completed.", { visibility: "llm_only" }),
    ],
  })
  const context = await contextOf(PATH)
  expect(shortly(context)).toEqual([
    "custom: <system-reminder>\nTools\n</system-reminder>",
    ...[
      "user: Go",
      "assistant: I call.",
      "toolResult: one",
      "toolResult: A picture",
      "custom: Background task completed.",
    ],
  ])
  expect(context[4]).toMatchObject({ toolName: "Read", content: [{}, { type: "image", mimeType: "image/png" }] })
  expect(await listed()).toMatchObject([{ firstMessage: "Go", cwd: "/home/ada/shop", name: "One" }])
})

test("calls that were lost have the result that Droid gives them", async () => {
  expect(await contextOf(say("Go"), answer("I call.", call("t1")), ...turn("Now"))).toEqual([
    ...["user: Go", "assistant: I call.", "toolResult: Error: Tool execution was cancelled"],
    ...["user: Now", "assistant: Answer"],
  ])
})

test("after a compaction the context has the summary, and what follows its anchor without results", async () => {
  const records = [say("One"), answer("I call.", call("t1")), results(["t1", "one"]), answer("Kept"), say("Two")]
  const anchor = String(records[1]?.id)
  const [summary = "", ...rest] = await contextOf(...records, compaction(anchor), answer("Yes"))
  expect(summary).toMatch(/^user: A previous instance of Droid .*<summary>\nAll was said\.\n<\/summary>.*The system$/s)
  expect(rest).toEqual(["assistant: Kept", "user: Two", "assistant: Yes"])
  const unknown = await contextOf(...records, compaction("none"), answer("Yes"))
  expect(unknown.slice(1)).toEqual([
    "user: One",
    "assistant: I call.",
    "toolResult: one",
    "assistant: Kept",
    "user: Two",
    "assistant: Yes",
  ])
})

test("what was said before a model of another provider went on is in a fence that it does not have", async () => {
  const more = { summaryKind: "provider_switch_serialization", summaryText: "A ```` fence", systemInfoText: undefined }
  const records = turn("One")
  const [serialized] = await contextOf(...records, compaction(String(records[1]?.id), more))
  expect(serialized).toContain("\n\n`````text\nA ```` fence\n`````\n\n")
})

test.each([
  [PATH, "sessions/a.jsonl"],
  ["sessions/a.jsonl", PATH],
])(
  "of two copies that were written together the one with more counts, in %s, and none is a part",
  async (longer, other) => {
    const one = [start("a"), ...turn("One")]
    const { listed, storage } = await inFolder(agent, { [longer]: [...one, ...turn("Two")], [other]: one })
    expect(await listed()).toMatchObject([{ id: "a", messageCount: 4 }])
    const parts: unknown[] = []
    for await (const { part } of storage.list({ parts: true })) if (part) parts.push(part)
    expect(parts).toEqual([])
  },
)

test("tokens are those of the settings beside it, and a session that another one called is its part", async () => {
  const tokenUsage = { inputTokens: 10, outputTokens: 5, cacheReadTokens: 1000, cacheCreationTokens: 100 }
  const settings = (more: Fields = {}) => JSON.stringify({ tokenUsage, providerLock: "anthropic", model: "m", ...more })
  const { usage, storage, listed, sessions, dir } = await inFolder(agent, {
    [PATH]: [
      start("a", { title: "A name", isSessionTitleManuallySet: true }),
      ...turn("One"),
      answer("I call.", call("t1", "Task")),
      results(["t1", "Task launched in background.\ntask_id: b\nsession_id: b\n"]),
    ],
    [`${FOLDER}/a.settings.json`]: settings(),
    "sessions/-home-ada-other/b.jsonl": [
      start("b", { callingSessionId: "a", callingToolUseId: "t1" }),
      ...turn("Find it"),
    ],
    "sessions/-home-ada-other/b.settings.json": settings(),
    [`${FOLDER}/c.jsonl`]: [start("c", { parent: "a", forkedAtMessageId: "m2" }), ...turn("One, more")],
    [`${FOLDER}/c.settings.json`]: settings({ archivedAt: "2026-11-25T11:00:00.000Z" }),
  })
  expect(await usage()).toMatchObject({ input: 30, output: 15, cacheRead: 3000, cacheWrite: 300 })
  const infos = (await listed()).sort((one, other) => one.id.localeCompare(other.id))
  expect(infos.map(({ id, name }) => [id, name])).toEqual([
    ["a", "A name"],
    ["c", undefined],
  ])
  const parts: unknown[] = []
  for await (const { part } of storage.parts(join(dir, PATH))) parts.push(part)
  expect(parts).toMatchObject([{ name: "b.jsonl", role: "subagent" }])
  const fork = await sessions.open(join(dir, FOLDER, "c.jsonl"), { access: "read" })
  expect(fork.getHeader()).toMatchObject({ parentSession: "a", source: { archived: true } })
  await fork.close()
})

test("the title that stands for none until Droid makes one is no name", async () => {
  const titles = [
    ["a", { title: "New Session", sessionTitle: "New Session" }],
    ["b", { title: "Retry of timers", sessionTitle: "New Session" }],
    ["c", { title: "One", sessionTitle: "New Session" }],
  ] as const
  const { listed } = await inFolder(
    agent,
    Object.fromEntries(titles.map(([id, title]) => [`sessions/-shop/${id}.jsonl`, [start(id, title), ...turn("One")]])),
  )
  expect(new Map((await listed()).map(({ id, name }) => [id, name]))).toEqual(
    new Map([
      ["a", undefined],
      ["b", "Retry of timers"],
      ["c", undefined],
    ]),
  )
})

agentContract(
  { describe, it },
  {
    name: "droid",
    ids: ["45bde50a-e129-4345-bbf8-d2b2b1a1e0f8", "5bd00ad4-aa6a-4044-be11-784651b10864"],
    open: (dir, cacheDir, fs) => openAgentStorage(agent, { dir, cacheDir, env: {}, fs }),
    async write(dir, { id, cwd, said }) {
      const path = join(dir, FOLDER, `${id}.jsonl`)
      await mkdir(dirname(path), { recursive: true })
      await writeFile(path, linesOf([start(id, { cwd, title: "" }), ...said.flatMap(turn)]))
      return path
    },
    say: (_, key, said) => appendFile(key, linesOf(turn(said))),
    remove: (_, key) => rm(key),
    async addUnknown(_, key) {
      await appendFile(key, linesOf([{ type: "hologram" }]))
      return "hologram"
    },
  },
)
