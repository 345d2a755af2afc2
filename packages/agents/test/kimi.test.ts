import { appendFile, mkdir, rm, writeFile } from "node:fs/promises"
import { dirname, join } from "node:path"
import { openAgentStorage } from "@treelog/agents/kit"
import { agentContract } from "@treelog/agents/testing"
import { SessionManager } from "@treelog/session-core"
import { describe, expect, it, test } from "vitest"
import { kimi as agent } from "./door.js"
import { inFolder, linesOf, shortly } from "./in-folder.js"

// Records as Kimi Code 2.1 writes them.
const START = Date.parse("2026-11-25T10:00:00.000Z")
const FOLDER = "sessions/wd_shop_0a1b2c3d4e5f"
const MAIN = `${FOLDER}/a/agents/main/wire.jsonl`
let clock = START

type Fields = Readonly<Record<string, unknown>>

const record = (type: string, fields: Fields = {}): Fields => {
  clock += 1000
  return { type, agentId: "main", ...fields, time: clock }
}
const start = () => ({ type: "metadata", protocol_version: "1.5", created_at: START })
const text = (said: string) => [{ type: "text", text: said }]
const message = (said: string, origin: Fields = { kind: "user" }, more: Fields = {}) =>
  record("context.append_message", {
    message: { role: "user", content: text(said), id: `msg_${clock}`, toolCalls: [], origin, ...more },
  })
const note = (said: string, more: Fields = {}) =>
  message(said, { kind: "injection", variant: "note", ...more }, { id: undefined })
const USED = { inputOther: 10, output: 5, inputCacheRead: 1000, inputCacheCreation: 100 }
const used = () => record("usage.record", { model: "local", usage: USED, usageScope: "turn" })
const event = (fields: Fields) => record("context.append_loop_event", { event: fields })
const request = () => record("llm.request", { kind: "loop", provider: "anthropic", model: "claude-sonnet-4-5" })

/** A step of the model: what it says, calls, and their results. */
function step(said: string, calls: readonly { name: string; result?: Fields }[] = [], ends = true) {
  const uuid = `step-${clock}`
  const id = (at: number) => `call_${uuid}_${at}`
  return [
    event({ type: "step.begin", uuid }),
    ...[request(), used()],
    event({ type: "content.part", stepUuid: uuid, part: { type: "think", think: "I think.", encrypted: "c2ln" } }),
    event({ type: "content.part", stepUuid: uuid, part: { type: "text", text: said } }),
    ...calls.map(({ name }, at) =>
      event({ type: "tool.call", uuid: `${id(at)}-uuid`, stepUuid: uuid, toolCallId: id(at), name, args: { at } }),
    ),
    ...calls.flatMap(({ result }, at) =>
      result ? [event({ type: "tool.result", parentUuid: `${id(at)}-uuid`, toolCallId: id(at), result })] : [],
    ),
    ...(ends ? [event({ type: "step.end", uuid, finishReason: "end_turn", usage: USED })] : []),
  ]
}
const turn = (said: string) => [
  message(said),
  ...step("Answer"),
  record("turn.ended", { turnId: 0, reason: "completed" }),
]
const undo = (count = 1) => record("context.undo", { count })
const switched = () => record("agent.switched", { branch: "b1", base: { branch: "main", line: 2 }, turns: 1 })
const compaction = (fields: Fields = {}) =>
  record("context.apply_compaction", {
    summary: "All was said.",
    compactedCount: 2,
    keptUserMessageCount: 1,
    ...fields,
  })

async function contextOf(...records: readonly Fields[]) {
  return shortly(await (await inFolder(agent, { [MAIN]: [start(), ...records] })).contextOf(MAIN))
}

test("a command that the user ran is what was typed, and its output is shown", async () => {
  const command = (said: string, phase: string) => message(said, { kind: "shell_command", phase }, { id: undefined })
  const { contextOf, listed, sessions, dir } = await inFolder(agent, {
    [MAIN]: [
      start(),
      command("<bash-input>\necho &quot;a&quot; &amp;&amp; ls\n</bash-input>", "input"),
      command("<bash-stdout>a.ts</bash-stdout><bash-stderr></bash-stderr>", "output"),
      ...turn("Why?"),
    ],
  })
  const [typed, output] = (await contextOf(MAIN)) as { role: string; prompt?: string }[]
  expect([typed?.role, typed?.prompt, output?.role]).toEqual(["user", '!echo "a" && ls', "custom"])
  const session = await sessions.open(join(dir, MAIN), { access: "read" })
  expect(session.getBranch().filter(({ type }) => type === "custom_message")).toMatchObject([{ display: true }])
  expect((await listed())[0]?.firstMessage).toBe('!echo "a" && ls')
})

test("the model of a request that names no provider is of an unknown one", async () => {
  const model = record("llm.request", { kind: "loop", model: "k3" })
  const { contextOf } = await inFolder(agent, {
    [MAIN]: [
      start(),
      message("Why?"),
      ...step("Answer").flatMap((one) => (one.type === "llm.request" ? [model] : [one])),
    ],
  })
  expect(await contextOf(MAIN)).toMatchObject([{}, { provider: "unknown", model: "k3" }])
})

test("shows and finds why a turn failed, which the model does not get", async () => {
  const error = { code: "provider.rate_limit", message: "Quota is used up", retryable: false }
  const failed = () => [
    record("turn.step.interrupted", { turnId: 0, step: 1, reason: "error", message: error.message }),
    record("turn.ended", { turnId: 0, reason: "failed", error }),
  ]
  const { contextOf, dir, found, storage } = await inFolder(agent, {
    [MAIN]: [
      ...[start(), message("One"), ...failed(), message("Two")],
      ...[...step("Half", [], false), ...failed(), ...turn("Three")],
    ],
  })
  const said = ["user: One", "user: Two", "assistant: Half", "user: Three", "assistant: Answer"]
  expect(shortly(await contextOf(MAIN))).toEqual(said)
  expect(await found("Quota")).toBe(2)
  expect((await storage.report(join(dir, MAIN))).unknownKinds).toEqual([])
})

test("results are what the model gets: with the time, a note, and that they failed", async () => {
  const { contextOf } = await inFolder(agent, {
    [MAIN]: [
      start(),
      message("Go"),
      ...step("I call.", [
        { name: "Bash", result: { output: "one\n", durationMs: 40 } },
        { name: "Read", result: { output: "1\tone", note: "<system>One line.</system>", durationMs: 16 } },
        { name: "Read", result: { output: "no such file", isError: true } },
        { name: "Read", result: { output: " " } },
      ]),
    ],
  })
  const results = (await contextOf(MAIN)).slice(2)
  expect(shortly(results)).toEqual([
    "toolResult: Wall time: 0.040 seconds\none\n",
    "toolResult: 1\tone\n<system>One line.</system>",
    "toolResult: <system>ERROR: Tool execution failed.</system>\nno such file",
    "toolResult: <system>Tool output is empty.</system>",
  ])
  expect(results[2]).toMatchObject({ isError: true, toolName: "Read" })
})

test("a prompt that came while a call ran stands behind its result, and a call that was lost has one", async () => {
  const [begin, ...rest] = step("I call.", [{ name: "Bash", result: { output: "one" } }])
  const calls = rest.filter(({ event }) => !/result|end/.test(String((event as Fields)?.type)))
  const results = rest.filter(({ event }) => /result|end/.test(String((event as Fields)?.type)))
  const read = await contextOf(
    ...[message("Go"), begin as Fields, ...calls, message("Meanwhile"), ...results],
    ...[...step("I call again.", [{ name: "Bash" }], false), message("Now"), ...step("Yes")],
  )
  expect(read).toEqual([
    ...["user: Go", "assistant: I call.", "toolResult: one", "user: Meanwhile", "assistant: I call again."],
    expect.stringContaining("interrupted before its result was recorded"),
    ...["user: Now", "assistant: Yes"],
  ])
})

test("a step back takes a prompt with what belongs to it; on another branch, what Kimi Code put in stays", async () => {
  const owned = { ownerPromptId: "p1" }
  const gone = [
    note("of the prompt", owned),
    message("Gone", { kind: "user" }, { id: "p1" }),
    note("A date"),
    ...step("No"),
  ]
  expect(await contextOf(...turn("Kept"), ...gone, undo(), ...turn("Now"))).toEqual([
    ...["user: Kept", "assistant: Answer", "user: Now", "assistant: Answer"],
  ])
  expect(await contextOf(...turn("Kept"), ...gone, switched(), undo(), ...turn("Now"))).toEqual([
    ...["user: Kept", "assistant: Answer", "custom: A date", "user: Now", "assistant: Answer"],
  ])
  expect(await contextOf(...turn("Kept"), undo(2), ...turn("Now"))).toHaveLength(4)
})

test("after a compaction the context has the prompts and the summary, and a step back does not go behind it", async () => {
  const read = await contextOf(...turn("One"), note("A date"), ...turn("Two"), compaction(), undo(), ...turn("Three"))
  expect(read).toEqual([
    ...["user: One", "user: Two", "user: All was said.", expect.stringContaining("compaction is complete")],
    ...["user: Three", "assistant: Answer"],
  ])
})

test("of many prompts a compaction keeps the oldest and the newest, up to 20,000 tokens", async () => {
  const prompts = ["a", "b", "c"].map((letter) => message(letter.repeat(40_000)))
  const [oldest, elided, newer, newest] = await contextOf(...prompts, compaction())
  const shape = [oldest, newer, newest].map((said) => [said?.at(-1), said?.replace("user: ", "").length])
  expect(shape).toEqual([
    ["a", 8_000],
    ["b", 31_996],
    ["c", 40_000],
  ])
  expect(elided?.includes("roughly 10001 tokens")).toBe(true)
})

test("a compaction of early versions keeps the newest messages, and a step back reaches them", async () => {
  const old = { keptUserMessageCount: undefined, compactedCount: 2 }
  const before = [...turn("One"), ...turn("Two"), compaction(old)]
  expect(await contextOf(...before, ...turn("Three"))).toEqual([
    ...["compactionSummary: All was said.", "user: Two", "assistant: Answer", "user: Three", "assistant: Answer"],
  ])
  expect(await contextOf(...before, undo(), ...turn("Three"))).toEqual([
    ...["user: All was said.", "user: Three", "assistant: Answer"],
  ])
})

test("a session of versions before 0.23 has the folder that the list of sessions says", async () => {
  const { listed } = await inFolder(agent, {
    [MAIN]: [start(), ...turn("One")],
    [`${FOLDER}/a/state.json`]: JSON.stringify({ title: "One", custom: {} }),
    "session_index.jsonl": [{ sessionId: "a", sessionDir: "/x/a", workDir: "/home/ada/shop" }, { sessionId: "b" }],
  })
  expect(await listed()).toMatchObject([{ id: "a", cwd: "/home/ada/shop" }])
})

test("a session whose state is no JSON is read without it, and that is said", async () => {
  const { dir, listed, storage } = await inFolder(agent, {
    [MAIN]: [start(), ...turn("Why?")],
    [`${FOLDER}/a/state.json`]: "{no",
  })
  expect(await listed()).toMatchObject([{ id: "a", firstMessage: "Why?" }])
  const { diagnostics } = await storage.report(join(dir, MAIN))
  expect(diagnostics.map(({ kind }) => kind)).toEqual(["invalid-json"])
})

test("what Kimi Work asks itself is work for another session", async () => {
  const { listed } = await inFolder(agent, {
    [`${FOLDER}/conv-1/agents/main/wire.jsonl`]: [start(), ...turn("One")],
    [`${FOLDER}/ctitle-1/agents/main/wire.jsonl`]: [start(), ...turn("Name it")],
  })
  expect((await listed()).map(({ id, kind }) => [id, kind]).sort()).toEqual([
    ["conv-1", undefined],
    ["ctitle-1", "subtask"],
  ])
})

test("usage of early versions, which report a call behind its reply, counts once", async () => {
  const early = step("Answer").filter(({ type }) => type !== "usage.record")
  const { usage } = await inFolder(agent, {
    [MAIN]: [start(), message("One"), ...early, used(), ...early, used(), record("turn.ended"), used()],
  })
  expect(await usage()).toMatchObject({ calls: 3, input: 30, output: 15 })
})

test("a cleared context begins anew, and what says nothing is not in it", async () => {
  const blank = step(" ").filter(({ event }) => (event as Fields)?.part === undefined)
  expect(await contextOf(...turn("Gone"), record("context.clear"), message("Now"), ...blank, ...step("Yes"))).toEqual([
    ...["user: Now", "assistant: Yes"],
  ])
})

test("tokens count once, also without a reply; in a fork only what is new, and those of sub-agents with their session", async () => {
  const records = [start(), ...turn("One"), used(), compaction()]
  const createdAt = clock + 500
  const { usage, sessions, dir, listed, storage } = await inFolder(agent, {
    [MAIN]: records,
    [`${FOLDER}/a/state.json`]: JSON.stringify({ cwd: "/home/ada/shop", title: "A title", titleKind: "custom" }),
    [`${FOLDER}/a/agents/agent-0/wire.jsonl`]: [start(), ...turn("Find it")],
    [`${FOLDER}/b/agents/main/wire.jsonl`]: [...records, record("forked"), ...turn("Otherwise")],
    [`${FOLDER}/b/state.json`]: JSON.stringify({ forkedFrom: "a", createdAt, archived: true }),
  })
  expect(await usage()).toMatchObject({ calls: 4, input: 40, output: 20, cacheRead: 4000, cacheWrite: 400 })
  const infos = (await listed()).sort((one, other) => one.id.localeCompare(other.id))
  expect(infos).toMatchObject([{ id: "a", name: "A title", cwd: "/home/ada/shop" }, { id: "b" }])
  const session = await sessions.open(join(dir, FOLDER, "b/agents/main/wire.jsonl"), { access: "read" })
  expect(session.getHeader()).toMatchObject({ parentSession: "a", source: { archived: true } })
  await session.close()
  const parts: unknown[] = []
  for await (const { part } of storage.parts(join(dir, MAIN))) parts.push(part?.name)
  expect(parts).toEqual(["agent-0.jsonl"])
})

test("a session has its name and its origin, whatever the folders above it are called", async () => {
  const folder = `agents/home/${FOLDER}/b`
  const { dir } = await inFolder(agent, {
    [`${folder}/agents/main/wire.jsonl`]: [start(), ...turn("One")],
    [`${folder}/state.json`]: JSON.stringify({ title: "A title", titleKind: "custom", forkedFrom: "a" }),
  })
  const sessions = new SessionManager({
    storage: openAgentStorage(agent, { dir: join(dir, "agents", "home"), cacheDir: null, env: {} }),
  })
  for await (const info of sessions.listAll()) expect(info).toMatchObject({ name: "A title", parentSession: "a" })
  expect.assertions(1)
})

test("a fork that nothing was said in since has no usage that is not counted", async () => {
  const again = record("agent.message.appended", { message: { meta: { source: "llm", usage: USED } } })
  const key = `${FOLDER}/b/agents/main/wire.jsonl`
  const { dir, storage } = await inFolder(agent, {
    [key]: [start(), ...turn("One"), again, used()],
    [`${FOLDER}/b/state.json`]: JSON.stringify({ forkedFrom: "a", createdAt: clock + 500 }),
  })
  expect(await storage.report(join(dir, key))).not.toHaveProperty("uncountedKinds")
})

test("a picture in a file of its own is in the context; of one that is missing its name", async () => {
  const image = (digest: string) => ({ type: "image_url", imageUrl: { url: `blobref:image/png;${digest}` } })
  const content = [image("0a1b"), image("none")]
  const { contextOf } = await inFolder(agent, {
    [MAIN]: [start(), record("context.append_message", { message: { role: "user", content } })],
    [`${FOLDER}/a/agents/main/blobs/0a1b`]: "picture",
  })
  expect(await contextOf(MAIN)).toMatchObject([
    { content: [{ type: "image", mimeType: "image/png", data: "cGljdHVyZQ==" }, image("none")] },
  ])
})

test("a skill that was typed is shown as it was typed, and calls of records before 1.1 are read", async () => {
  const skill = { kind: "skill_activation", skillName: "review", skillArgs: "now", trigger: "user-slash" }
  const calls = [{ type: "function", id: "c1", function: { name: "Read", arguments: '{"path":"a"}' } }]
  const said = { role: "assistant", content: text("I call."), toolCalls: calls }
  const result = { role: "tool", toolCallId: "c1", content: text("one") }
  const { contextOf, listed } = await inFolder(agent, {
    [MAIN]: [
      { ...start(), protocol_version: "1.0" },
      message("Long instructions", skill),
      record("context.append_message", { message: said }),
      record("context.append_message", { message: result }),
    ],
  })
  expect((await listed())[0]?.firstMessage).toBe("/review now")
  const [, reply, read] = await contextOf(MAIN)
  expect(reply).toMatchObject({
    content: [{ text: "I call." }, { type: "toolCall", name: "Read", arguments: { path: "a" } }],
  })
  expect(read).toMatchObject({ role: "toolResult", toolCallId: "c1", content: [{ text: "one" }] })
})

agentContract(
  { describe, it },
  {
    name: "kimi",
    ids: ["session_45bde50a-e129-4345-bbf8-d2b2b1a1e0f8", "session_5bd00ad4-aa6a-4044-be11-784651b10864"],
    open: (dir, cacheDir, fs) => openAgentStorage(agent, { dir, cacheDir, env: {}, fs }),
    async write(dir, { id, cwd, said }) {
      const path = join(dir, FOLDER, id, "agents/main/wire.jsonl")
      await mkdir(dirname(path), { recursive: true })
      const bind = record("profile.bind", { modelAlias: "local", environmentDisclosure: { cwd } })
      await writeFile(path, linesOf([start(), bind, ...said.flatMap(turn)]))
      return path
    },
    say: (_, key, said) => appendFile(key, linesOf(turn(said))),
    remove: (_, key) => rm(key),
    async addUnknown(_, key) {
      await appendFile(key, linesOf([record("hologram")]))
      return "hologram"
    },
  },
)
