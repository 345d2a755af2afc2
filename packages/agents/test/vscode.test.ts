import { appendFile, mkdir, rm, utimes, writeFile } from "node:fs/promises"
import { dirname, join } from "node:path"
import { pathToFileURL } from "node:url"
import { openAgentStorage } from "@treelog/agents/kit"
import { agentContract } from "@treelog/agents/testing"
import { loadDriver } from "@treelog/index-sqlite"
import { isEntry } from "@treelog/session-core"
import { FileOperations } from "@treelog/session-core/search"
import { describe, expect, it, test } from "vitest"
import { folderIn, vsCodeAgent, vscode } from "./door.js"
import { inFolder, linesOf, shortly } from "./in-folder.js"

// Chats as VS Code 1.109 writes them, and documents as those before did.
const START = Date.parse("2026-11-25T10:00:00.000Z")
const CHAT = "workspaceStorage/w/chatSessions/c.jsonl"
const agent = vsCodeAgent(vscode)
let count = 0

type Fields = Readonly<Record<string, unknown>>

const chat = (sessionId: string, requests: readonly Fields[] = [], more: Fields = {}) => ({
  version: 3,
  creationDate: START,
  responderUsername: "GitHub Copilot",
  sessionId,
  requests,
  ...more,
})
const log = (sessionId: string, ...requests: readonly Fields[]) => ({ kind: 0, v: chat(sessionId, requests) })
const push = (k: readonly unknown[], v: readonly unknown[], i?: number) => ({
  kind: 2,
  k,
  v,
  ...(i !== undefined && { i }),
})
const set = (k: readonly unknown[], v: unknown) => ({ kind: 1, k, v })
const request = (text: string, more: Fields = {}) => ({
  requestId: `request_${++count}`,
  timestamp: START + count * 1000,
  modelId: "copilot/auto",
  message: { text, parts: [] },
  variableData: { variables: [] },
  response: [],
  ...more,
})
const answered = (text: string, answer: string) => request(text, { response: [{ value: answer }] })
const metadata = {
  resolvedModel: "claude-sonnet-4-5",
  renderedUserMessage: [{ type: 1, text: "<context>Linux</context>" }, { type: 1, text: "Why?" }, { type: 3 }],
  toolCallRounds: [
    {
      id: "round1",
      response: "I look.",
      thinking: { id: "t", text: ["Let me", " see"], encrypted: "sealed" },
      toolCalls: [{ id: "call1", name: "read_file", arguments: '{"filePath":"/home/ada/shop/a.ts"}' }],
    },
    { id: "round2", response: "The sign.", toolCalls: [] },
  ],
  toolCallResults: {
    call1: {
      content: [
        {
          value: {
            node: {
              type: 1,
              children: [
                { type: 2, text: "a - b" },
                { text: "c", lineBreakBefore: true },
              ],
            },
          },
        },
      ],
    },
  },
}

test("warnings of a response are shown and found, and no model gets them", async () => {
  const warning = { kind: "warning", content: { value: "You are rate limited" } }
  const { contextOf, found } = await inFolder(agent, {
    [CHAT]: [log("c", request("Why?", { response: [{ value: "So." }, warning] }), answered("And?", "Then."))],
  })
  const said = ["user: Why?", "assistant: So.", "user: And?", "assistant: Then."]
  expect(shortly(await contextOf(CHAT))).toEqual(said)
  expect(await found('"rate limited"')).toBe(1)
})

test("a request has what the model was sent, its rounds with calls and results, its model, its usage and its title", async () => {
  const { contextOf, listed, usage } = await inFolder(agent, {
    "workspaceStorage/w/workspace.json": JSON.stringify({ folder: "file:///home/ada/my%20sh%C3%B6p" }),
    [CHAT]: [
      log("c"),
      push(["requests"], [request("Why?")]),
      push(["requests", 0, "response"], [{ value: "I look." }]),
      set(["requests", 0, "result"], { metadata }),
      set(["requests", 0, "promptTokens"], 1000),
      set(["requests", 0, "completionTokens"], 20),
      set(["customTitle"], "A sign"),
    ],
  })
  expect(await listed()).toMatchObject([
    {
      id: "c",
      cwd: "/home/ada/my shöp",
      name: "A sign",
      firstMessage: "Why?",
      model: "github-copilot/claude-sonnet-4-5",
    },
  ])
  const context = await contextOf(CHAT)
  expect(shortly(context)).toEqual([
    "user: <context>Linux</context>Why?",
    "assistant: I look.",
    "toolResult: a - b\nc",
    "assistant: The sign.",
  ])
  expect(context[1]).toMatchObject({
    content: [
      { type: "thinking", thinking: "Let me see", thinkingSignature: "sealed" },
      { type: "text" },
      { type: "toolCall", id: "call1", name: "read_file", arguments: { filePath: "/home/ada/shop/a.ts" } },
    ],
    stopReason: "toolUse",
  })
  expect(await usage()).toMatchObject({ input: 1000, output: 20 })
})

test("a response without rounds is read as it is shown, images of any version and attached texts are sent, and unknown parts are kept", async () => {
  const image = Buffer.from("image")
  const shown = [
    { kind: "thinking", value: "Hm" },
    { value: "In " },
    { kind: "inlineReference", inlineReference: { path: "/home/ada/a.ts", scheme: "file" } },
    { kind: "undoStop" },
    {
      kind: "toolInvocationSerialized",
      toolCallId: "call1",
      toolId: "run_in_terminal",
      toolSpecificData: { kind: "terminal", commandLine: { original: "ls" }, terminalCommandOutput: { text: "a.ts" } },
    },
    { kind: "toolInvocationSerialized", toolCallId: "sub", toolId: "read", subAgentInvocationId: "s" },
    { kind: "hologram", value: 1 },
    { value: "Done" },
  ]
  const variables = [
    { kind: "image", name: "One", mimeType: "image/png", value: { ...image } },
    { kind: "image", name: "Two", mimeType: "image/png", value: { $base64: image.toString("base64") } },
    { kind: "paste", name: "Pasted", value: "text" },
    { kind: "file", name: "a.ts", value: { scheme: "file", path: "/home/ada/a.ts" } },
  ]
  const file = "globalStorage/emptyWindowChatSessions/d.json"
  const one = request("See", { response: shown, variableData: { variables }, modelState: { value: 2 } })
  const { contextOf, listed, sessions, dir } = await inFolder(agent, {
    [file]: JSON.stringify(chat("d", [one]), null, 2),
  })
  expect(await listed()).toMatchObject([{ id: "d", cwd: "", firstMessage: "See" }])
  const context = await contextOf(file)
  expect(context).toMatchObject([
    {
      content: [
        { text: "See" },
        { type: "image", data: "aW1hZ2U=" },
        { type: "image", data: "aW1hZ2U=" },
        { text: '<attachment id="Pasted">\ntext\n</attachment>' },
        { type: "file", title: "a.ts", url: "file:///home/ada/a.ts" },
      ],
    },
    { content: [{ thinking: "Hm" }, { text: "In a.ts" }, { id: "call1", arguments: { command: "ls" } }] },
    { role: "toolResult", toolName: "run_in_terminal", content: [{ text: "a.ts" }] },
    { content: [{ text: "Done" }], stopReason: "aborted" },
  ])
  const session = await sessions.open(join(dir, file), { access: "read" })
  expect(session.getEntries()).toContainEqual(expect.objectContaining({ customType: "vscode.part:hologram" }))
  await session.close()
})

test("a sub-agent is a part, with its prompt, the calls that are shown of it, and its result", async () => {
  const shown = (toolCallId: string, more: Fields) => ({ kind: "toolInvocationSerialized", toolCallId, ...more })
  const data = { kind: "subagent", description: "Find it", prompt: "Find the sign", modelName: "Fast", result: "There" }
  const response = [
    shown("shown", { toolId: "runSubagent", toolSpecificData: data }),
    shown("sub", { toolId: "read", subAgentInvocationId: "shown" }),
    { value: "Done." },
  ]
  const call = { id: "call1", name: "runSubagent", arguments: JSON.stringify({ prompt: "Find the sign" }) }
  const toolCallRounds = [{ id: "r", response: "", toolCalls: [call] }]
  const { sessions, dir } = await inFolder(agent, {
    [CHAT]: [log("c", request("Go", { response, result: { metadata: { toolCallRounds } } }))],
  })
  const session = await sessions.open(join(dir, CHAT), { access: "read" })
  const parts = session.getEntries().flatMap((entry) => (isEntry(entry, "custom") ? [entry.data] : []))
  await session.close()
  const texts = [
    { role: "user", text: "Find the sign" },
    { role: "assistant", text: "There" },
  ]
  expect(parts).toMatchObject([{ name: "shown.jsonl", role: "subagent", call: "call1", title: "Find it", texts }])
})

test("requests that were edited, sent again or hidden by a checkpoint are branches", async () => {
  const { contextOf, sessions, dir } = await inFolder(agent, {
    [CHAT]: [
      log("c", answered("One", "First"), answered("Two", "Second")),
      push(["requests"], [answered("Two, edited", "Third")], 1),
      push(["requests"], [answered("Hidden", "Fourth")]),
      set(["requests", 2, "shouldBeRemovedOnSend"], { requestId: "request" }),
    ],
  })
  expect(shortly(await contextOf(CHAT))).toEqual([
    "user: One",
    "assistant: First",
    "user: Two, edited",
    "assistant: Third",
  ])
  const session = await sessions.open(join(dir, CHAT), { access: "read" })
  const messages = session
    .getEntries()
    .flatMap(({ type, ...entry }) => (type === "message" && "message" in entry ? [entry.message as object] : []))
  await session.close()
  expect(shortly(messages)).toEqual(expect.arrayContaining(["user: Two", "assistant: Second", "user: Hidden"]))
})

test("a request that was behind one that was removed is in the context without it, and counts once", async () => {
  const last = request("Three", { response: "Third", promptTokens: 10 })
  const { contextOf, usage } = await inFolder(agent, {
    [CHAT]: [log("c", answered("One", "First"), answered("Two", "Second"), last), push(["requests"], [last], 1)],
  })
  expect(shortly(await contextOf(CHAT))).toEqual(["user: One", "assistant: First", "user: Three", "assistant: Third"])
  expect(await usage()).toMatchObject({ input: 10 })
})

test.each([
  ["its result's metadata", { result: { metadata: { promptTokens: 10, outputTokens: 3 } } }],
  ["its result", { result: { promptTokens: 10, outputTokens: 3 } }],
  ["its result's usage", { result: { usage: { promptTokens: 10, completionTokens: 3 } } }],
  ["its usage", { usage: { promptTokens: 10, completionTokens: 3 } }],
])("a request has the usage that %s says", async (_, fields) => {
  const { usage } = await inFolder(agent, {
    [CHAT]: [log("c", request("One", { response: [{ value: "First" }], ...fields }))],
  })
  expect(await usage()).toMatchObject({ input: 10, output: 3 })
})

test("a summary takes the place of its round and of what is before, also of a request before", async () => {
  const summary = { toolCallRoundId: "round1", text: "It looked." }
  const { contextOf } = await inFolder(agent, {
    [CHAT]: [
      log(
        "c",
        request("Why?", { result: { metadata } }),
        request("And?", { result: { metadata: { summary } }, response: "So." }),
      ),
    ],
    [CHAT.replace("c.jsonl", "d.jsonl")]: [
      log("d", request("Why?", { result: { metadata: { ...metadata, summary } } })),
    ],
  })
  expect(shortly(await contextOf(CHAT))).toEqual([
    "compactionSummary: It looked.",
    "assistant: The sign.",
    "user: And?",
    "assistant: So.",
  ])
  expect(shortly(await contextOf(CHAT.replace("c.jsonl", "d.jsonl")))).toEqual([
    "compactionSummary: It looked.",
    "assistant: The sign.",
  ])
})

test("changes that fit nothing are kept, reach nothing else and make no list longer", async () => {
  const changes = [
    set(["__proto__", "polluted"], true),
    set(["requests", "__proto__", "polluted"], true),
    set(["requests", 4_000_000_000], request("Far")),
    push(["requests", 9, "response"], [{ value: "Nowhere" }]),
    push(["requests"], [], 4_000_000_000),
    { kind: 1 },
    { kind: 0, v: [] },
  ]
  const { contextOf, storage, dir } = await inFolder(agent, {
    [CHAT]: [log("c", answered("One", "First")), ...changes],
  })
  expect(shortly(await contextOf(CHAT))).toEqual(["user: One", "assistant: First"])
  expect({}).not.toHaveProperty("polluted")
  expect((await storage.report(join(dir, CHAT))).kinds).toMatchObject({
    snapshot: { kept: 1 },
    set: { kept: 4 },
    push: { kept: 1, converted: 1 },
  })
})

test("a document is not listed beside the log that began with it", async () => {
  const { listed } = await inFolder(agent, {
    [CHAT]: [log("c", answered("New", "Answer"))],
    [CHAT.replace("jsonl", "json")]: JSON.stringify(chat("c", [answered("Old", "Answer")])),
  })
  expect(await listed()).toMatchObject([{ firstMessage: "New" }])
})

/** Each request is pushed, and its response when it comes. */
function turns(said: readonly string[], before: number): Fields[] {
  return said.flatMap((text, at) => [
    push(["requests"], [request(text)]),
    push(["requests", before + at, "response"], [{ value: "Answer" }]),
  ])
}

/** So many prompts a chat has, by its file. */
const said = new Map<string, number>()

agentContract(
  { describe, it },
  {
    name: "vscode",
    ids: ["0fb1b9c7-9892-48c1-996a-b6de7726603c", "1ab1b9c7-9892-48c1-996a-b6de7726603c"],
    open: (dir, cacheDir, fs) => openAgentStorage(agent, { dir, cacheDir, fs, env: {} }),
    async write(dir, session) {
      const folder = join(dir, "workspaceStorage", session.id)
      const key = join(folder, "chatSessions", `${session.id}.jsonl`)
      await mkdir(dirname(key), { recursive: true })
      await writeFile(join(folder, "workspace.json"), JSON.stringify({ folder: pathToFileURL(session.cwd).href }))
      await writeFile(key, linesOf([log(session.id), ...turns(session.said, 0)]))
      said.set(key, session.said.length)
      return key
    },
    async say(_, key, text) {
      const before = said.get(key) ?? 0
      said.set(key, before + 1)
      await appendFile(key, linesOf(turns([text], before)))
    },
    remove: (_, key) => rm(key),
    async addUnknown(_, key) {
      await appendFile(key, linesOf([{ kind: 9 }]))
      return "operation:9"
    },
  },
)

test("a chat is listed with the first prompt that is in it, and once of those that VS Code copied", async () => {
  const records = [log("c", answered("Edited", "Gone")), push(["requests"], [answered("Now", "Yes")], 0)]
  const { listed, storage, dir } = await inFolder(agent, { [CHAT]: records, [CHAT.replace("/w/", "/w2/")]: records })
  await utimes(join(dir, CHAT), START / 1000, START / 1000)
  expect(await listed()).toMatchObject([{ id: "c", firstMessage: "Now", path: join(dir, CHAT.replace("/w/", "/w2/")) }])
  expect(await storage.stat(join(dir, CHAT))).toBeDefined()
})

test("a transcript of Copilot's agent is a session, unless its chat is there", async () => {
  const event = (type: string, data: Fields) => ({
    ...{ type, data, id: `event${++count}`, timestamp: new Date(START + count * 1000).toISOString(), parentId: null },
  })
  const transcript = (sessionId: string, text: string) => [
    event("session.start", { sessionId, producer: "copilot-agent", copilotVersion: "0.51.0" }),
    event("user.message", { content: text, attachments: [] }),
    event("assistant.message", {
      content: "I look.",
      toolRequests: [
        { toolCallId: "call1", name: "read_file", arguments: '{"filePath":"/shop/a.ts"}', type: "function" },
      ],
    }),
    event("tool.execution_complete", { toolCallId: "call1", success: true, result: { content: "-1" } }),
  ]
  const { listed, contextOf } = await inFolder(agent, {
    "workspaceStorage/w/workspace.json": '{"folder":"file:///shop"}',
    "workspaceStorage/w/GitHub.copilot-chat/transcripts/t.jsonl": transcript("t", "Why?"),
    "workspaceStorage/w/GitHub.copilot-chat/transcripts/c.jsonl": transcript("c", "Twice?"),
    [CHAT]: [log("c", answered("Twice?", "Once."))],
  })
  expect((await listed()).map(({ id, cwd, firstMessage }) => [id, cwd, firstMessage]).sort()).toEqual([
    ["c", "/shop", "Twice?"],
    ["t", "/shop", "Why?"],
  ])
  const messages = await contextOf("workspaceStorage/w/GitHub.copilot-chat/transcripts/t.jsonl")
  expect(shortly(messages)).toEqual(["user: Why?", "assistant: I look.", "toolResult: -1"])
  expect(messages[1]).toMatchObject({ content: [{}, { name: "read_file", arguments: { filePath: "/shop/a.ts" } }] })
  expect((await listed()).every(({ path }) => path.includes("chatSessions") || path.endsWith("t.jsonl"))).toBe(true)
})

test("a folder on another host is that of this host", () => {
  expect(folderIn({ folder: "file://wsl.localhost/Ubuntu/srv/shop" })).toBe("//wsl.localhost/Ubuntu/srv/shop")
  expect(folderIn({ folder: "vscode-remote://wsl%2Bubuntu/srv/shop" })).toBe("/srv/shop")
})

test("requests are read where the first line of a log is damaged; a log of damage alone is damaged", async () => {
  const { dir, listed, storage } = await inFolder(agent, {
    [CHAT]: `{"kind":0,"v":\n${linesOf([push(["requests"], [answered("Why?", "So.")])])}`,
    "workspaceStorage/w/chatSessions/d.jsonl": '{"kind":0,"v":\n{"kind":1\n',
  })
  const sessions = await listed()
  expect(sessions).toMatchObject([
    { id: "c", firstMessage: "Why?", messageCount: 2 },
    { error: { code: "InvalidSessionError" } },
  ])
  const damaged = join(dir, "workspaceStorage/w/chatSessions/d.jsonl")
  await expect(storage.report(damaged)).rejects.toMatchObject({ data: { isDamaged: true } })
})

test("a log without its first line is read as far as it goes, and said to be damaged", async () => {
  const { dir, listed, storage } = await inFolder(agent, {
    [CHAT]: [{ kind: 1, k: ["hasPendingEdits"], v: false }, push(["requests"], [answered("Why?", "So.")])],
  })
  expect(await listed()).toMatchObject([{ id: "c", firstMessage: "Why?", messageCount: 2 }])
  const { diagnostics } = await storage.report(join(dir, CHAT))
  expect(diagnostics).toMatchObject([{ message: expect.stringContaining("does not begin with the chat") }])
})

test("a window says which of its chats were archived, also of transcripts; a damaged one hides none", async () => {
  const started = { type: "session.start", data: { sessionId: "t" }, id: "s", timestamp: "2026-11-25T10:00:00Z" }
  const said = { type: "user.message", data: { content: "Why?" }, id: "u", timestamp: "2026-11-25T10:01:00Z" }
  const { dir, listed } = await inFolder(agent, {
    "workspaceStorage/w/chatSessions/a.jsonl": [log("a", answered("One?", "Yes."))],
    "workspaceStorage/w/chatSessions/b.jsonl": [log("b", answered("Two?", "Yes."))],
    "workspaceStorage/w/GitHub.copilot-chat/transcripts/t.jsonl": [started, said],
    "workspaceStorage/damaged/chatSessions/c.jsonl": [log("c", answered("Three?", "Yes."))],
    "workspaceStorage/damaged/state.vscdb": "no database",
  })
  const uriOf = (id: string) => `/${Buffer.from(id).toString("base64url")}`
  const db = (await loadDriver()).open(join(dir, "workspaceStorage", "w", "state.vscdb"))
  db.exec("CREATE TABLE ItemTable (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB)")
  const states = [
    { resource: `vscode-chat-session://local${uriOf("a")}`, archived: true },
    { resource: `vscode-chat-session://local${uriOf("b")}`, archived: false, read: 1 },
    { resource: { scheme: "vscode-chat-session", authority: "local", path: uriOf("t") }, archived: true },
  ]
  db.prepare("INSERT INTO ItemTable VALUES (?, ?)").run("agentSessions.state.cache", JSON.stringify(states))
  db.close()
  expect((await listed()).map(({ id, kind }) => [id, kind]).sort()).toEqual([
    ...[
      ["a", "archived"],
      ["b", undefined],
      ["c", undefined],
      ["t", "archived"],
    ],
  ])
})

test("edits that a person asked for are shown, found and counted as changes, and sent to no model; those of calls stand there alone", async () => {
  const edit = (path: string, text: string) => ({ kind: "textEditGroup", uri: { fsPath: path }, edits: [[{ text }]] })
  const { contextOf, found, sessions, dir } = await inFolder(agent, {
    [CHAT]: linesOf([
      log(
        "c",
        request("Edit", { response: [{ value: "I edit." }, edit("/shop/b.ts", "topaz"), edit("/shop/b.ts", "jade")] }),
        request("Call", {
          response: [edit("/shop/a.ts", "x")],
          result: {
            metadata: {
              toolCallRounds: [
                { id: "r", toolCalls: [{ id: "c1", name: "create_file", arguments: '{"filePath":"/shop/a.ts"}' }] },
              ],
            },
          },
        }),
      ),
    ]),
  })
  expect(shortly(await contextOf(CHAT))).toEqual([
    ...["user: Edit", "assistant: I edit.", "user: Call", expect.stringContaining("assistant")],
  ])
  expect(await found("jade")).toBe(1)
  const session = await sessions.open(join(dir, CHAT), { access: "read" })
  const files = new FileOperations()
  for (const entry of session.getEntries()) files.addEntry(entry)
  expect(files.lists()).toEqual({ readFiles: [], modifiedFiles: ["/shop/a.ts", "/shop/b.ts"] })
  expect(session.getBranch().filter(({ type }) => type === "custom_message")).toMatchObject([
    { content: "Edited /shop/b.ts\ntopaz\njade" },
  ])
})
