import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { openAgentStorage } from "@treelog/agents/kit"
import { loadDriver } from "@treelog/index-sqlite"
import { SessionManager } from "@treelog/session-core"
import type { SqliteDatabase } from "@treelog-internal/sqlite"
import { expect, onTestFinished, test } from "vitest"
import { addComposer, type Bubble, bubble, call, put, reply, user, withCursor } from "./cursor-database.js"
import { cursor as agent, sessionsIn } from "./door.js"

/** A database of Cursor with what is added to it. */
async function cursor(add: (db: SqliteDatabase) => void) {
  const dir = await mkdtemp(join(tmpdir(), "treelog-cursor-"))
  onTestFinished(() => rm(dir, { recursive: true }))
  await withCursor(dir, add)
  const storage = openAgentStorage(agent, { dir, cacheDir: null, env: {}, loadDriver })
  const sessions = new SessionManager({ storage })
  const keyOf = (id: string): string => join(dir, "globalStorage", "state.vscdb", id)
  const listed = async () => {
    const all: unknown[] = []
    for await (const { id, part } of storage.list({ parts: true })) all.push(part ? [id, part.of] : id)
    return all
  }
  const contextOf = async (id: string) => (await sessions.readContext(keyOf(id))).messages
  return { dir, keyOf, listed, contextOf, sessions, storage }
}

test("bubbles of one response are one reply with its usage and its model; what comes behind a call is another", async () => {
  const args = { path: "shop.ts" }
  const { contextOf } = await cursor((db) =>
    addComposer(db, "a", [
      user("Why?", { modelInfo: { modelName: "model-2" } }),
      bubble(2, { text: "", capabilityType: 30, thinking: { text: "Hm", signature: "s" } }),
      reply("I look."),
      call("read_file_v2", args, { modelCallId: "m1", result: '{"contents":"let a","totalLines":1}' }),
      call("grep", {}, { modelCallId: "m1", params: '{"pattern":"a"}', rawArgs: "", error: "No", status: "error" }),
      reply("", { toolFormerData: { additionalData: { status: "error" } } }),
      reply("The sign."),
      user("And?", { modelInfo: { modelName: "model-3" } }),
      call("run_terminal_cmd", { command: "ls" }, { status: "loading" }),
    ]),
  )
  const messages = (await contextOf("a")) as { content?: object[]; model?: string; usage?: object }[]
  expect(messages).toMatchObject([
    { role: "user", content: [{ text: "Why?" }] },
    {
      ...{ role: "assistant", model: "model-2", stopReason: "toolUse", usage: { input: 10, output: 5 } },
      content: [
        { type: "thinking", thinking: "Hm", thinkingSignature: "s" },
        { type: "text", text: "I look." },
        { type: "toolCall", name: "read_file_v2", arguments: args },
        { type: "toolCall", name: "grep", arguments: {} },
      ],
    },
    { role: "toolResult", toolName: "read_file_v2", content: [{ text: "let a" }], details: { totalLines: 1 } },
    { role: "toolResult", toolName: "grep", content: [{ text: "No" }], isError: true },
    { role: "assistant", content: [{ text: "The sign." }], stopReason: "stop", model: "model-2" },
    { role: "user" },
    { role: "assistant", model: "model-3", content: [{ name: "run_terminal_cmd" }] },
  ])
})

test("a prompt names its pictures, also where it has no words", async () => {
  const image = { path: "/home/ada/images/a b.png", uuid: "u1" }
  const { contextOf } = await cursor((db) =>
    addComposer(db, "a", [
      user("See", { context: { selectedImages: [image] }, images: [image] }),
      reply("Yes"),
      user("", { images: [{ path: "C:\\images\\b.png" }] }),
    ]),
  )
  expect(await contextOf("a")).toMatchObject([
    { role: "user", content: [{ text: "See" }, { type: "file", title: "a b.png", url: image.path }] },
    { role: "assistant" },
    { role: "user", content: [{ type: "file", title: "b.png" }] },
  ])
})

test("errors are shown where they came, and no model gets them", async () => {
  const failed = JSON.stringify({ error: "ERROR_RATE_LIMITED", details: { title: "Too many", detail: "Wait." } })
  const { contextOf, sessions, keyOf } = await cursor((db) =>
    addComposer(db, "a", [
      user("Why?"),
      bubble(2, { text: "", errorDetails: { generationUUID: "g", message: "Error", error: failed } }),
      user("Again"),
      reply("The si", { errorDetails: { message: "Connection lost" } }),
      reply("The sign."),
    ]),
  )
  const messages = (await contextOf("a")) as { content: { text?: string }[] }[]
  expect(messages.map(({ content }) => content[0]?.text)).toEqual(["Why?", "Again", "The si", "The sign."])
  const session = await sessions.open(keyOf("a"), { access: "read" })
  const kinds = session.getBranch().map((entry) => ("content" in entry ? entry.content : entry.type))
  expect(kinds.filter((kind) => kind !== "context_edit" && kind !== "session_info")).toEqual([
    ...["message", "Too many: Wait.", "message", "message", "Connection lost", "message"],
  ])
})

test("composers that are empty or deleted are none, a sub-agent is a part of the one that started it, a damaged one is an error", async () => {
  const { listed, keyOf, sessions } = await cursor((db) => {
    addComposer(db, "draft", [])
    put(db, "composerData:deleted", "null")
    db.prepare("INSERT INTO cursorDiskKV VALUES ('composerData:gone', NULL)").run()
    put(db, "composerData:torn", '{"composerId":"torn","fullConv')
    const task = call("task_v2", {}, { result: '{"agentId":"child"}' })
    addComposer(db, "a", [user("Go"), task], { subagentComposerIds: ["listed"] })
    addComposer(db, "child", [user("Find it")], { subagentInfo: { parentComposerId: "a" } })
    addComposer(db, "listed", [user("Find it too")])
  })
  expect(await listed()).toEqual(["torn", "a", ["child", keyOf("a")], ["listed", keyOf("a")]])
  await expect(sessions.open(keyOf("torn"), { access: "read" })).rejects.toMatchObject({ name: "InvalidSessionError" })
  const session = await sessions.open(keyOf("a"), { access: "read" })
  expect(session.getEntries().at(-1)).toMatchObject({
    customType: "treelog.part",
    data: { name: "child.jsonl", role: "subagent" },
  })
  await session.close()
})

test("a composer has its folder and title, from its head or its bubbles where it says none", async () => {
  const { sessions } = await cursor((db) => {
    const none = { name: undefined, workspaceIdentifier: undefined }
    addComposer(db, "head", [user("One")], none)
    const head = { name: "Of the head", workspaceIdentifier: { uri: { fsPath: "/home/ada/head" } } }
    db.prepare("INSERT INTO composerHeaders VALUES ('head', '1', ?)").run(JSON.stringify(head))
    addComposer(db, "windows", [user("One", { workspaceUris: ["file:///c%3A/shop"] })], none)
    addComposer(db, "two", [user("One", { workspaceUris: ["file:///a", "file:///b"] })], none)
  })
  const infos = []
  for await (const { id, cwd, name } of sessions.listAll()) infos.push([id, cwd, name])
  expect(infos.sort()).toEqual([
    ["head", "/home/ada/head", "Of the head"],
    ["two", "", undefined],
    ["windows", "c:/shop", undefined],
  ])
})

test("composers of older versions have their bubbles inside", async () => {
  const { contextOf } = await cursor((db) => {
    const conversation: Bubble[] = [user("Why?"), reply("So.")].map(({ createdAt: _, ...one }) => one as Bubble)
    put(db, "composerData:old", { composerId: "old", createdAt: 1, conversation })
  })
  expect(await contextOf("old")).toMatchObject([{ content: [{ text: "Why?" }] }, { content: [{ text: "So." }] }])
})

test("bubbles that are damaged, missing, unknown or a mark are kept in their places and named", async () => {
  const { keyOf, contextOf, storage } = await cursor((db) => {
    const [torn, gone, mark] = [reply("Torn"), reply("Gone"), bubble(2, { capabilityType: 22 })]
    addComposer(db, "a", [user("One"), reply("Two"), torn, gone, mark, bubble(9, {}), user("", { images: [{}] })])
    put(db, `bubbleId:a:${torn.bubbleId}`, '{"text":"To')
    db.prepare("DELETE FROM cursorDiskKV WHERE key = ?").run(`bubbleId:a:${gone.bubbleId}`)
    put(db, "bubbleId:a:orphan", reply("Taken back"))
  })
  const { kinds, unknownKinds, diagnostics } = await storage.report(keyOf("a"))
  expect(diagnostics).toMatchObject([{ kind: "invalid-json" }])
  const kept = ["damaged", "missing", "compaction", "bubble:9", "user"].map((kind) => kinds[kind]?.kept)
  expect([kept, unknownKinds]).toEqual([[1, 1, 1, 1, 1], ["bubble:9"]])
  expect(await contextOf("a")).toMatchObject([{ content: [{ text: "One" }] }, { content: [{ text: "Two" }] }])
})

test("a bubble that is written anew changes its session, and no other", async () => {
  const { dir } = await cursor((db) => {
    addComposer(db, "a", [user("One"), reply("Hal")])
    addComposer(db, "b", [user("Two")])
  })
  const versions = () => withCursor(dir, (db) => sessionsIn(db).map(({ version }) => version))
  const [a, b] = await versions()
  await withCursor(dir, (db) => {
    const row = db.prepare("SELECT key FROM cursorDiskKV WHERE value LIKE '%Hal%'").get<{ key: string }>()
    put(db, String(row?.key), reply("Half a reply"))
  })
  expect(await versions()).toEqual([expect.not.stringMatching(`^${a}$`), b])
})

/** Writes values in the database of a window, whose folder is `/home/ada/NAME`. */
async function addWindow(dir: string, name: string, values: Readonly<Record<string, unknown>>): Promise<string> {
  const folder = join(dir, "workspaceStorage", name)
  await mkdir(folder, { recursive: true })
  await writeFile(join(folder, "workspace.json"), JSON.stringify({ folder: `file:///home/ada/${name}` }))
  const file = join(folder, "state.vscdb")
  const db = (await loadDriver()).open(file)
  try {
    db.exec("CREATE TABLE ItemTable (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB)")
    for (const [key, value] of Object.entries(values)) {
      const text = typeof value === "string" ? value : JSON.stringify(value)
      db.prepare("INSERT INTO ItemTable VALUES (?, ?)").run(key, text)
    }
  } finally {
    db.close()
  }
  return file
}

const CHATS = "workbench.panel.aichat.view.aichat.chatdata"

test("chats and composers of before 0.43 are in the databases of windows", async () => {
  const { dir, sessions, storage } = await cursor((db) => addComposer(db, "moved", [user("Moved")]))
  const bubbles = [
    { type: "user", id: "u1", text: "Why?", selections: [{ text: "let a" }] },
    { type: "ai", id: "a1", text: "", rawText: "So.", modelType: "gpt-4" },
    { type: "hologram", id: "h1" },
    { type: "user", text: "And?" },
    { type: "ai", text: "Then." },
  ]
  const sent = { chatTitle: "A chat", lastSendTime: Date.parse("2024-03-01T10:00:00.000Z") }
  const conversation = [user("Build it"), reply("Built.")]
  const shop = await addWindow(dir, "shop", {
    [CHATS]: { tabs: [{ tabId: "chat", ...sent, bubbles }, { tabId: "draft", bubbles: [] }, { bubbles: [null] }] },
    "composer.composerData": {
      allComposers: [
        { composerId: "old", name: "A composer", createdAt: 1_709_286_000_000, conversation },
        { composerId: "moved", conversation: [user("Before it moved")] },
        { composerId: "none" },
      ],
    },
  })
  const torn = await addWindow(dir, "torn", { [CHATS]: '{"tabs":[{"ta' })
  const infos = []
  for await (const { id, cwd, name, firstMessage, error } of sessions.listAll())
    infos.push(error ? [id, error.code] : [id, cwd, name, firstMessage])
  expect(infos.sort()).toEqual([
    ["chat", "/home/ada/shop", "A chat", "Why?"],
    ["moved", "/home/ada", "A title", "Moved"],
    ["old", "/home/ada/shop", "A composer", "Build it"],
    [CHATS, "InvalidSessionError"],
  ])
  const { messages } = await sessions.readContext(join(shop, "chat"))
  expect(messages).toMatchObject([
    { role: "user", content: [{ text: "Why?" }] },
    { role: "assistant", model: "gpt-4", content: [{ text: "So." }] },
    { role: "user", content: [{ text: "And?" }] },
    { role: "assistant", content: [{ text: "Then." }] },
  ])
  expect(messages[0]).toMatchObject({ timestamp: sent.lastSendTime })
  expect((await storage.report(join(shop, "chat"))).unknownKinds).toEqual(["bubble:hologram"])
  await expect(sessions.open(join(torn, CHATS), { access: "read" })).rejects.toMatchObject({
    code: "InvalidSessionError",
  })
})
