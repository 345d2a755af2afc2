import { createHash } from "node:crypto"
import { appendFile, mkdir, rm, writeFile } from "node:fs/promises"
import { dirname, join } from "node:path"
import { openAgentStorage } from "@treelog/agents/kit"
import { agentContract } from "@treelog/agents/testing"
import { toAnthropicMessages } from "@treelog/session-core/messages"
import { describe, expect, it, test } from "vitest"
import { gemini as agent } from "./door.js"
import { inFolder, linesOf, shortly } from "./in-folder.js"

// Records as Gemini CLI 0.61 writes them.
const START = Date.parse("2026-11-25T10:00:00.000Z")
const FILE = "tmp/shop/chats/session-2026-11-25T10-00-aaaaaaaa.jsonl"
let clock = 0

const at = () => new Date(START + ++clock * 1000).toISOString()
const head = (sessionId: string) => ({
  sessionId,
  projectHash: "f00",
  startTime: at(),
  lastUpdated: at(),
  kind: "main",
})
const set = (fields: object) => ({ $set: { ...fields, lastUpdated: at() } })
const say = (id: string, text: string) => ({ id, timestamp: at(), type: "user", content: [{ text }] })
const context = (cwd: string) => {
  const text = `<session_context>\n- **Workspace Directories:**\n  - ${cwd}\n</session_context>`
  return set({ messages: [{ ...say("context", text) }] })
}
const tokens = { input: 1110, output: 3, cached: 1000, thoughts: 2, tool: 0, total: 1115 }
const answer = (id: string, content: string, more: object = {}) => {
  const thoughts = [{ subject: "Think", description: "I think.", timestamp: at() }]
  return { id, timestamp: at(), type: "gemini", content, thoughts, tokens, model: "gemini-2.5-pro", ...more }
}
const turn = (said: string) => {
  const id = `m${++clock}`
  const reply = answer(`${id}r`, "Answer")
  // It is written again when the tokens are known.
  return [say(id, said), set({}), { ...reply, tokens: null }, reply, set({})]
}
const response = (id: string, output: string) => ({ functionResponse: { id, name: "read_file", response: { output } } })
const call = (id: string, output: string) => ({
  ...{ id, name: "read_file", args: { file_path: "a" }, status: "success", timestamp: at() },
  result: [response(id, output)],
})

const INTERRUPTED = "assistant: [The previous response was interrupted before it completed.]"

test("a step back removes the message that it names; one that names nobody removes all", async () => {
  const files = (to: string) => ({
    [FILE]: [
      head("a"),
      say("1", "Kept"),
      answer("2", "Yes"),
      say("3", "Gone"),
      answer("4", "No"),
      { $rewindTo: to },
      say("5", "Now"),
    ],
  })
  const known = await inFolder(agent, files("3"))
  expect(shortly(await known.contextOf(FILE))).toEqual(["user: Kept", "assistant: Yes", "user: Now"])
  const session = await known.sessions.open(join(known.dir, FILE), { access: "read" })
  expect(JSON.stringify(session.getEntries())).toContain("Gone")
  await session.close()
  expect(shortly(await (await inFolder(agent, files("none"))).contextOf(FILE))).toEqual(["user: Now"])
})

test("a first line that has the messages too, as those of older versions, is read with what follows it", async () => {
  const first = { ...head("a"), messages: [say("1", "Before"), answer("2", "Yes")] }
  const { contextOf, usage } = await inFolder(agent, { [FILE]: [first, say("3", "More"), answer("4", "Sure")] })
  expect(shortly(await contextOf(FILE))).toEqual(["user: Before", "assistant: Yes", "user: More", "assistant: Sure"])
  expect(await usage()).toMatchObject({ calls: 2 })
})

test("a result that stands in its call and behind it is there once, with its image", async () => {
  const image = { inlineData: { mimeType: "image/png", data: "aGk=" } }
  const parts = [response("c1", "one"), image, { functionResponse: { id: "c2", name: "x", response: { error: "No" } } }]
  const calls = [
    { ...call("c1", "one"), result: parts.slice(0, 2) },
    { ...call("c2", ""), result: parts.slice(2) },
  ]
  const reply = answer("2", "I call.")
  const results = { ...say("3", ""), content: parts }
  const { contextOf, usage } = await inFolder(agent, {
    [FILE]: [head("a"), say("1", "Go"), reply, { ...reply, toolCalls: calls }, results, answer("4", "Done")],
  })
  const found = (await contextOf(FILE)).filter(({ role }) => role === "toolResult")
  expect(found).toMatchObject([
    { toolCallId: "c1", isError: false, content: [{ text: "one" }, { type: "image", data: "aGk=" }] },
    { toolCallId: "c2", isError: true, content: [{ text: "No" }] },
  ])
  expect(await usage()).toMatchObject({ calls: 2, input: 220, output: 10, cacheRead: 2000 })
})

test.each(["error", "warning", "info"])(
  "people see and find an %s of the program, and the model does not get it",
  async (type) => {
    const said = { id: "n", timestamp: at(), type, content: "Quota exceeded" }
    const { contextOf, found } = await inFolder(agent, { [FILE]: [head("a"), say("1", "Go"), said, say("2", "Again")] })
    expect(shortly(await contextOf(FILE))).toEqual(["user: Go", "user: Again"])
    expect(await found("quota")).toBe(1)
  },
)

test("a reply that is written again behind a notice has its tokens and its results", async () => {
  const running = answer("2", "I call.", { tokens: undefined, toolCalls: [{ ...call("c1", ""), result: undefined }] })
  const notice = { id: "i", timestamp: at(), type: "info", content: "A new version is available." }
  const { contextOf, usage } = await inFolder(agent, {
    [FILE]: [
      head("a"),
      say("1", "Go"),
      running,
      notice,
      { ...running, tokens, toolCalls: [call("c1", "one")] },
      answer("3", "Done"),
    ],
  })
  expect(shortly(await contextOf(FILE))).toEqual([
    "user: Go",
    "assistant: I call.",
    "toolResult: one",
    "assistant: Done",
  ])
  expect(await usage()).toMatchObject({ calls: 2 })
})

test("after a compaction the context has the summary and what is kept, which counts once", async () => {
  const kept = [say("5", "Kept"), answer("6", "Yes")]
  const now = [
    say("s", "<state_snapshot>All was said.</state_snapshot>"),
    answer("g", "Got it.", { tokens: undefined }),
    ...kept,
  ]
  const { contextOf, usage } = await inFolder(agent, {
    [FILE]: [head("a"), say("1", "One"), answer("2", "Two"), ...kept, set({ messages: now }), ...turn("Now")],
  })
  expect(shortly(await contextOf(FILE))).toEqual([
    "compactionSummary: <state_snapshot>All was said.</state_snapshot>",
    ...["assistant: Got it.", "user: Kept", "assistant: Yes", "user: Now", "assistant: Answer"],
  ])
  expect(await usage()).toMatchObject({ calls: 3 })
})

test("the same messages once more, as on a resume, change nothing; results that were cut are edited", async () => {
  const reply = answer("2", "I call.", { toolCalls: [call("c1", "long")] })
  const all = [say("1", "Go"), reply, { ...say("3", ""), content: [response("c1", "long")] }]
  const again = [all[0], { ...reply, toolCalls: [call("c1", "cut")] }, { ...all[2], content: [response("c1", "cut")] }]
  const { contextOf } = await inFolder(agent, {
    [FILE]: [head("a"), ...all, head("a"), set({ messages: [] }), set({ messages: all }), set({ messages: again })],
  })
  expect(shortly(await contextOf(FILE))).toEqual(["user: Go", "assistant: I call.", "toolResult: cut"])
})

test("a compaction keeps calls with their results, and what was said before the first prompt stays before it", async () => {
  const first = {
    ...say("context", "<session_context>\n- **Workspace Directories:**\n  - /home/ada/shop\n</session_context>"),
  }
  const reply = answer("2", "I call.", { toolCalls: [call("c1", "one")] })
  const results = { ...say("3", ""), content: [response("c1", "one")] }
  const now = [
    { ...first, content: [{ text: "<session_context>Today\n</session_context>" }] },
    say("s", "What was said, in words of a model."),
    answer("g", "Got it. Thanks for the additional context!", { tokens: undefined, thoughts: undefined }),
    { ...say("k1", "Go") },
    { ...say("k2", ""), type: "gemini", content: [{ text: "I call." }, { functionCall: call("c1", "") }] },
    { ...say("k3", ""), content: [response("c1", "one")] },
  ]
  const { contextOf, sessions, dir } = await inFolder(agent, {
    [FILE]: [
      ...[head("a"), set({ messages: [first] }), say("1", "Go"), reply, results, answer("4", "Done")],
      ...[set({ messages: now }), ...turn("Now"), { $rewindTo: "k1" }, ...turn("Otherwise")],
    ],
  })
  const context = await contextOf(FILE)
  expect(shortly(context)).toEqual([
    "custom: <session_context>Today\n</session_context>",
    "compactionSummary: What was said, in words of a model.",
    ...["assistant: Got it. Thanks for the additional context!", "user: Otherwise", "assistant: Answer"],
  ])
  expect(context[1]).toMatchObject({ verbatim: true })
  const session = await sessions.open(join(dir, FILE), { access: "read" })
  const last = session.getEntries().findIndex(({ type }) => type === "compaction")
  const behind = session
    .getEntries()
    .slice(last)
    .flatMap((entry) => ("message" in entry ? [entry.message as object] : []))
  expect(shortly(behind).slice(1, 7)).toEqual([
    ...["user: Go", "assistant: I call.", "toolResult: one", INTERRUPTED, "user: Now", "assistant: Answer"],
  ])
  await session.close()
})

test("results that are cut while all messages get other ids stay where they are, and are whole in the entries", async () => {
  const calls = [call("c1", "long"), call("c2", "longer")]
  const both = [response("c1", "long"), response("c2", "longer")]
  const cut = [response("c1", "cut"), response("c2", "longer")]
  const again = [
    // What follows each other of one role is one.
    { ...say("n1", ""), content: [{ text: "<session_context></session_context>" }, { text: "Go" }] },
    {
      ...say("n2", ""),
      type: "gemini",
      content: [{ text: "I call." }, ...calls.map((one) => ({ functionCall: one }))],
    },
    { ...say("n3", ""), content: [...cut, ...cut] },
    { ...say("n4", ""), type: "gemini", content: [{ text: "Done", thoughtSignature: "c2ln" }] },
  ]
  const files = (...more: object[]) => ({
    [FILE]: [
      ...[head("a"), context("/home/ada/shop"), say("1", "Go"), answer("2", "I call.", { toolCalls: calls })],
      ...[{ ...say("3", ""), content: both }, answer("4", "Done"), ...again, set({ messages: again }), ...turn("Now")],
      ...(more as Record<string, unknown>[]),
    ],
  })
  const { contextOf, usage, sessions, dir } = await inFolder(agent, files())
  expect(shortly(await contextOf(FILE))).toEqual([
    ...["custom: <session_context></session_context>", "user: Go", "assistant: I call."],
    ...["toolResult: cut", "toolResult: longer", "assistant: Done", "user: Now", "assistant: Answer"],
  ])
  expect(await usage()).toMatchObject({ calls: 3 })
  const session = await sessions.open(join(dir, FILE), { access: "read" })
  const entries = JSON.stringify(session.getEntries())
  expect([entries.includes('"long"'), entries.includes("c2ln")]).toEqual([true, true])
  await session.close()
  const back = await inFolder(agent, files({ $rewindTo: "n4" }, ...turn("Otherwise")))
  expect(shortly(await back.contextOf(FILE)).slice(3)).toEqual([
    ...["toolResult: cut", "toolResult: longer", INTERRUPTED, "user: Otherwise", "assistant: Answer"],
  ])
})

test("each call of a reply that is written with the results of all of them has its own", async () => {
  const both = [response("c1", "one"), response("c2", "two")]
  const calls = [call("c1", "one"), call("c2", "two")]
  const all = [say("1", "Go"), answer("2", "I call.", { toolCalls: calls }), { ...say("3", ""), content: both }]
  const cut = [response("c1", "one"), response("c2", "cut")]
  const again = [all[0], answer("2", "I call.", { toolCalls: calls.map((one) => ({ ...one, result: cut })) }), all[2]]
  const { contextOf } = await inFolder(agent, {
    [FILE]: [head("a"), ...all, set({ messages: again })] as object[] as never,
  })
  expect(shortly(await contextOf(FILE)).slice(2)).toEqual(["toolResult: one", "toolResult: cut"])
})

test("a prompt behind results that were not answered follows what Gemini CLI says to the model there, until it goes on", async () => {
  const [first, second] = [say("1", "One"), say("3", "Go on")]
  const reply = answer("2", "I look.", { toolCalls: [call("c1", "one")] })
  const results = { ...say("4", ""), content: [response("c1", "one")] }
  const killed = await inFolder(agent, { [FILE]: [head("a"), first, reply, results, second, answer("5", "Yes")] })
  const said = ["user: One", "assistant: I look.", "toolResult: one"]
  expect(shortly(await killed.contextOf(FILE))).toEqual([...said, INTERRUPTED, "user: Go on", "assistant: Yes"])
  const messages = [first, { ...reply, id: "2" }, results, second, answer("5", "Yes")]
  await appendFile(join(killed.dir, FILE), linesOf([set({ messages }), say("6", "Again")]))
  expect(shortly(await killed.contextOf(FILE))).toEqual([...said, "user: Go on", "assistant: Yes", "user: Again"])
})

test("what was said before the first prompt is not sent behind a step back, and again once the session is resumed", async () => {
  const said = [say("s", "<state_snapshot>All.</state_snapshot>"), answer("g", "Got it.")]
  const before = [say("context", "<session_context>\n- **Workspace Directories:**\n  - /shop\n</session_context>")]
  const stepBack = [
    set({ messages: [...before, ...said] }),
    say("3", "Gone"),
    { $rewindTo: "3" },
    set({ messages: said }),
  ]
  const lines = [
    head("a"),
    set({ messages: before }),
    say("1", "One"),
    answer("2", "Two"),
    ...stepBack,
    say("4", "Now"),
  ]
  const { contextOf, dir } = await inFolder(agent, { [FILE]: lines })
  const now = ["compactionSummary: <state_snapshot>All.</state_snapshot>", "assistant: Got it.", "user: Now"]
  expect(shortly(await contextOf(FILE))).toEqual(now)
  await appendFile(join(dir, FILE), linesOf([set({ messages: [...before, ...said, say("4", "Now")] })]))
  expect((await contextOf(FILE)).map(({ role }) => role)).toEqual(["custom", "compactionSummary", "assistant", "user"])
})

test("a session that is gone on with in the same minute begins its file again, and keeps what was said and used", async () => {
  const [summary, reply] = [say("s", "<state_snapshot>All.</state_snapshot>"), answer("2", "Two")]
  const before = [say("context", "<session_context>\n- **Workspace Directories:**\n  - /shop\n</session_context>")]
  const thanks = { ...answer("g", "Got it."), tokens: null }
  const compacted = [...before, summary, thanks]
  const again = { ...reply, content: [{ text: "Two" }], tokens: undefined }
  const lines = [
    ...[head("a"), set({ messages: before }), say("0", "Zero"), answer("z", "Yes"), set({ messages: compacted })],
    ...[say("1", "One"), reply],
    ...[head("a"), set({ messages: before }), set({ sessionId: "a" })],
    ...[set({ messages: [...compacted, say("1", "One"), again] }), say("3", "Three")],
  ]
  const { contextOf, usage } = await inFolder(agent, { [FILE]: lines })
  expect(shortly((await contextOf(FILE)).filter(({ role }) => role !== "custom"))).toEqual([
    ...["compactionSummary: <state_snapshot>All.</state_snapshot>", "assistant: Got it."],
    ...["user: One", "assistant: Two", "user: Three"],
  ])
  expect(await usage()).toMatchObject({ output: 10 })
})

test("what Gemini CLI does not send again when it goes on is not in the context", async () => {
  const [ask, reply] = [say("1", "/help me"), answer("2", "Yes")]
  const { contextOf } = await inFolder(agent, {
    [FILE]: [head("a"), ask, reply, set({ messages: [reply] }), ...turn("Now")],
  })
  expect(shortly(await contextOf(FILE))).toEqual(["assistant: Yes", "user: Now", "assistant: Answer"])
})

test("another model gets no thoughts, as Gemini CLI sends none", async () => {
  const { contextOf } = await inFolder(agent, { [FILE]: [head("a"), ...turn("One"), say("2", "Two")] })
  const target = { provider: "google", model: "gemini-2.5-flash" }
  const sent = toAnthropicMessages(await contextOf(FILE), { target }).messages
  expect(sent[1]).toMatchObject({ role: "assistant", content: [{ type: "text", text: "Answer" }] })
})

test("what cannot be read stands where it was written", async () => {
  const { sessions, dir } = await inFolder(agent, {
    [FILE]:
      [head("a"), ...turn("One")].map((one) => `${JSON.stringify(one)}\n`).join("") +
      "{no\n" +
      JSON.stringify(say("9", "Two")) +
      "\n",
  })
  const session = await sessions.open(join(dir, FILE), { access: "read" })
  const kinds = session.getEntries().map((entry) => ("customType" in entry ? entry.customType : entry.type))
  expect(kinds).toEqual(["message", "message", "treelog.damaged", "message"])
  await session.close()
})

test("a sub-agent is a part of its session, behind the call that started it, and is counted", async () => {
  const started = {
    ...call("c", "Found"),
    name: "invoke_agent",
    agentId: "sub",
    resultDisplay: { agentName: "finder" },
  }
  const { listed, sessions, dir, usage } = await inFolder(agent, {
    [FILE]: [head("aaaaaaaa-1"), say("1", "Go"), answer("2", "I call.", { toolCalls: [started] })],
    "tmp/shop/chats/aaaaaaaa-1/sub.jsonl": [
      { ...head("sub"), kind: "subagent", directories: ["/home/ada/shop"] },
      ...turn("Find it"),
    ],
  })
  expect(await listed()).toMatchObject([{ id: "aaaaaaaa-1" }])
  const session = await sessions.open(join(dir, FILE), { access: "read" })
  const part = { name: "sub.jsonl", role: "subagent", call: "c", title: "finder" }
  expect(session.getEntries().at(-1)).toMatchObject({ customType: "treelog.part", data: part })
  expect(await usage()).toMatchObject({ calls: 2 })
})

test("a title, and files of older versions, which are one document", async () => {
  const path = FILE.replace("jsonl", "json")
  const document = { ...head("b"), summary: "Old one", messages: [say("1", "Hello"), answer("2", "Yes")] }
  const { listed } = await inFolder(agent, {
    [path]: JSON.stringify(document, null, 2),
    [FILE]: [head("a"), context("/home/ada/shop"), ...turn("Why?"), set({ summary: "A sum" })],
    [FILE.replace("10-00", "10-01")]: [head("a"), context("/home/ada/shop")],
  })
  expect((await listed()).map(({ id, name, firstMessage }) => [id, name, firstMessage])).toEqual([
    ["a", "A sum", "Why?"],
    ["session-2026-11-25T10-01-aaaaaaaa", undefined, ""],
    ["b", "Old one", "Hello"],
  ])
})

test("a command is the first message where nothing else was said, as in Gemini CLI's own list", async () => {
  const { listed } = await inFolder(agent, {
    [FILE]: [head("a"), say("1", "/help"), say("2", "? keys"), say("3", "Why?"), answer("4", "So.")],
    [FILE.replace("aaaaaaaa", "bbbbbbbb")]: [head("b"), say("5", "/help"), answer("6", "So.")],
  })
  expect(Object.fromEntries((await listed()).map(({ id, firstMessage }) => [id, firstMessage]))).toEqual({
    a: "Why?",
    b: "/help",
  })
})

test("the folder of a session that says none is that of its project: its own file says it, or the names of all projects", async () => {
  const digest = (path: string) => createHash("sha256").update(path).digest("hex")
  const old = (project: string, id: string) => ({
    [`tmp/${project}/chats/session-2026-02-10T09-00-${id}.json`]: JSON.stringify({
      ...head(id),
      messages: [say("1", "Hello")],
    }),
  })
  const { listed, dir } = await inFolder(agent, {
    ...{ ...old("shop", "aaaaaaaa"), ...old(digest("/srv/shop"), "bbbbbbbb"), ...old("bakery", "cccccccc") },
    ...{ ...old(digest("/srv/unknown"), "dddddddd"), ...old("garden", "eeeeeeee") },
    "tmp/shop/.project_root": "/srv/shop\n",
    "projects.json": JSON.stringify({ projects: { "/srv/shop": "shop", "/srv/bakery": "bakery", "/srv/odd": 3 } }),
  })
  const found = async () => (await listed()).map(({ id, cwd }) => [id, cwd]).sort()
  expect(await found()).toEqual([
    ...[
      ["aaaaaaaa", "/srv/shop"],
      ["bbbbbbbb", "/srv/shop"],
      ["cccccccc", "/srv/bakery"],
    ],
    ...[
      ["dddddddd", ""],
      ["eeeeeeee", ""],
    ],
  ])
  await writeFile(join(dir, "tmp/garden/.project_root"), "/srv/garden")
  expect((await found()).at(-1)).toEqual(["eeeeeeee", "/srv/garden"])
})

test("the folder that only a digest names is found in the path of a call inside it", async () => {
  const project = createHash("sha256").update("/srv/shop").digest("hex")
  const args = [{ command: "ls /srv/shop" }, { file_path: "/srv/other/a.ts" }, { file_path: "/srv/shop/src/a.ts" }]
  const calls = args.map((one, at) => ({ ...call(`c${at}`, "x"), args: one }))
  const file = (id: string, toolCalls: object[]) => ({
    [`tmp/${project}/chats/session-2026-02-10T09-00-${id}.json`]: JSON.stringify({
      ...head(id),
      messages: [say("1", "Hello"), answer("2", "", { toolCalls })],
    }),
  })
  const { listed } = await inFolder(agent, { ...file("aaaaaaaa", calls), ...file("bbbbbbbb", calls.slice(0, 2)) })
  const found = (await listed()).map(({ id, cwd }) => [id, cwd])
  expect(found.sort()).toEqual([
    ["aaaaaaaa", "/srv/shop"],
    ["bbbbbbbb", ""],
  ])
})

test("a file that says that it is of a sub-agent is a part of the session that began last before it", async () => {
  const file = (name: string, kind: string, startTime: string, said: string) => ({
    [`tmp/shop/chats/session-2026-03-10T${name}.json`]: JSON.stringify(
      { ...head(name), kind, startTime, messages: [say(`${name}u`, said), answer(`${name}a`, "Done")] },
      null,
      2,
    ),
  })
  const { copiedParts, listed, sessions, dir, usage } = await inFolder(agent, {
    ...file("09-00-aaaaaaaa", "main", "2026-03-10T09:00:00.000Z", "First"),
    ...file("09-02-bbbbbbbb", "main", "2026-03-10T09:02:00.000Z", "Second"),
    ...file("09-03-cccccccc", "subagent", "2026-03-10T09:03:00.000Z", "You find the thing"),
    ...file("09-09-dddddddd", "main", "2026-03-10T09:09:00.000Z", "Third"),
  })
  expect((await listed()).map(({ firstMessage }) => firstMessage).sort()).toEqual(["First", "Second", "Third"])
  expect(await usage()).toMatchObject({ calls: 4 })
  const opened = await sessions.open(join(dir, "tmp/shop/chats/session-2026-03-10T09-02-bbbbbbbb.json"), {
    access: "read",
  })
  expect(opened.getEntries().at(-1)).toMatchObject({
    customType: "treelog.part",
    data: { name: "session-2026-03-10T09-03-cccccccc.jsonl", role: "subagent" },
  })
  expect(await copiedParts("tmp/shop/chats/session-2026-03-10T09-02-bbbbbbbb.json")).toEqual([
    "session-2026-03-10T09-03-cccccccc.jsonl",
  ])
  await opened.close()
})

agentContract(
  { describe, it },
  {
    name: "gemini",
    ids: ["80597531-3532-4e1e-8973-1427c9fe0725", "0cd97e90-fd3f-4f2e-9d9e-399378a71848"],
    open: (dir, cacheDir, fs) => openAgentStorage(agent, { dir, cacheDir, env: {}, fs }),
    async write(dir, { id, cwd, said }) {
      const path = join(dir, "tmp", "shop", "chats", `session-2026-11-25T10-00-${id.slice(0, 8)}.jsonl`)
      await mkdir(dirname(path), { recursive: true })
      await writeFile(path, linesOf([head(id), context(cwd), ...said.flatMap(turn)]))
      return path
    },
    say: (_, key, said) => appendFile(key, linesOf(turn(said))),
    remove: (_, key) => rm(key),
    async addUnknown(_, key) {
      await appendFile(key, linesOf([{ ...say("h", "x"), type: "hologram" }]))
      return "hologram"
    },
  },
)

test("a session whose head is damaged has the id that its name begins, its folder, its name and its time", async () => {
  const { listed } = await inFolder(agent, {
    [FILE]: `{"sessionId":"a\n${linesOf([...turn("One"), set({ summary: "A title" })])}`,
    "tmp/shop/.project_root": "/home/ada/shop",
  })
  const [session] = await listed()
  expect(session).toMatchObject({ id: "aaaaaaaa", cwd: "/home/ada/shop", name: "A title", firstMessage: "One" })
  expect(session?.created).toBeGreaterThanOrEqual(START)
})
