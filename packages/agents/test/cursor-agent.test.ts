import { createHash } from "node:crypto"
import { appendFile, mkdir, rm, writeFile } from "node:fs/promises"
import { dirname, join } from "node:path"
import { openAgentStorage } from "@treelog/agents/kit"
import { agentContract } from "@treelog/agents/testing"
import { loadDriver } from "@treelog/index-sqlite"
import { isEntry } from "@treelog/session-core"
import { MemorySessionIndex, parseQuery } from "@treelog/session-core/search"
import { describe, expect, it, test } from "vitest"
import { cursorAgent as agent } from "./door.js"
import { inFolder, linesOf, shortly } from "./in-folder.js"

// Records as public readers of these files describe them.
const FOLDER = "projects/home-ada-shop/agent-transcripts"

const say = (...content: object[]) => ({ role: "user", message: { content } })
const text = (text: string) => ({ type: "text", text })
const answer = (said: string, ...more: object[]) => ({ role: "assistant", message: { content: [text(said), ...more] } })
const turn = (said: string) => [
  say(text(`<user_query>\n${said}\n</user_query>`)),
  answer("Answer"),
  { type: "turn_ended", status: "success" },
]

test("a transcript has what was said and called, and its sub-agents are parts of it", async () => {
  const { contextOf, listed, storage } = await inFolder(agent, {
    [`${FOLDER}/a/a.jsonl`]: [
      ...turn("Why is it wrong?"),
      answer("I look.", { type: "tool_use", name: "Read", input: { path: "a.ts" } }),
      answer("The sign."),
    ],
    [`${FOLDER}/a/subagents/b.jsonl`]: turn("Find it"),
    [`${FOLDER}/c.jsonl`]: turn("Older"),
  })
  const found = (await listed()).map(({ id, firstMessage }) => [id, firstMessage])
  expect(found.sort()).toEqual([
    ["a", "Why is it wrong?"],
    ["c", "Older"],
  ])
  expect(shortly(await contextOf(`${FOLDER}/a/a.jsonl`)).slice(1)).toEqual([
    "assistant: Answer",
    "assistant: I look.",
    "assistant: The sign.",
  ])
  const parts = []
  for await (const { part } of storage.list({ parts: true })) if (part) parts.push(part)
  expect(parts).toMatchObject([{ name: "b.jsonl", role: "subagent" }])
})

test("sub-agents are parts of their session, also where its file has another name or is beside its folder", async () => {
  const { listed, storage, dir } = await inFolder(agent, {
    [`${FOLDER}/a/transcript.jsonl`]: turn("One"),
    [`${FOLDER}/a/subagents/of-a.jsonl`]: turn("Find it"),
    [`${FOLDER}/b.jsonl`]: turn("Two"),
    [`${FOLDER}/b/subagents/of-b.jsonl`]: turn("Find that"),
  })
  expect((await listed()).map(({ id }) => id).sort()).toEqual(["a", "b"])
  const parts = []
  for await (const { part } of storage.list({ parts: true })) if (part) parts.push(`${part.of}: ${part.name}`)
  const folder = join(dir, FOLDER)
  expect(parts.sort()).toEqual([`${folder}/a/transcript.jsonl: of-a.jsonl`, `${folder}/b.jsonl: of-b.jsonl`])
})

test("a prompt has the time that stands before it, and what follows has it too", async () => {
  const stamped = (time: string) => say(text(`<timestamp>${time}</timestamp>\n<user_query>\nWhy?\n</user_query>`))
  const { contextOf, listed } = await inFolder(agent, {
    [`${FOLDER}/a/a.jsonl`]: [
      stamped("Friday, Sep 18, 2026, 9:02 PM (UTC-7)"),
      answer("So."),
      stamped("Sunday, Sep 20, 2026, 12:30 AM (UTC+5:30)"),
      answer("So."),
    ],
  })
  const times = ["2026-09-19T04:02Z", "2026-09-19T19:00Z"].map((time) => Date.parse(time))
  expect(await listed()).toMatchObject([{ created: times[0], modified: times[1], firstMessage: "Why?" }])
  const messages = await contextOf(`${FOLDER}/a/a.jsonl`)
  expect(messages.map(({ timestamp }) => timestamp)).toEqual([times[0], times[0], times[1], times[1]])
})

test("a transcript whose prompts say no time is as old as its file", async () => {
  const since = Date.now() - 60_000
  const { listed } = await inFolder(agent, {
    [`${FOLDER}/a/a.jsonl`]: turn("Why?"),
    [`${FOLDER}/b/b.jsonl`]: [say(text("<timestamp>soon (UTC)</timestamp>\nWhy?")), answer("So.")],
  })
  const found = await listed()
  expect(found.map(({ created, modified }) => [created > since, modified > since])).toEqual([
    [true, true],
    [true, true],
  ])
})

test("records without an envelope and a file that is named after no session are read", async () => {
  const { contextOf, listed } = await inFolder(agent, {
    [`${FOLDER}/a/transcript.jsonl`]: [
      { role: "user", content: "Why?" },
      { role: "assistant", content: [text("So.")] },
    ],
  })
  expect(await listed()).toMatchObject([{ id: "a", firstMessage: "Why?" }])
  expect(shortly(await contextOf(`${FOLDER}/a/transcript.jsonl`))).toEqual(["user: Why?", "assistant: So."])
})

test("what is said in several transcripts is found in each, and one in which nothing was said is empty", async () => {
  const { listed, storage } = await inFolder(agent, {
    [`${FOLDER}/a/a.jsonl`]: turn("Why is it wrong?"),
    [`${FOLDER}/a/subagents/b.jsonl`]: turn("Find it"),
    [`${FOLDER}/c.jsonl`]: turn("Where is it?"),
    [`${FOLDER}/d.jsonl`]: [{ type: "turn_ended", status: "aborted" }],
  })
  const index = new MemorySessionIndex(storage)
  await index.update()
  const { sessions } = await index.search({ ...parseQuery("it role:user", 0), limit: 10, snippet: 50 })
  expect(sessions.flatMap(({ hits }) => hits.map(({ snippet }) => snippet.text)).length).toBe(3)
  expect((await listed()).filter(({ messageCount }) => messageCount === 0).map(({ id }) => id)).toEqual(["d"])
})

agentContract(
  { describe, it },
  {
    name: "cursor-agent",
    skips: { "is listed as it is shown, and verified": "a transcript does not name the folder of its project" },
    ids: ["0fb1b9c7-9892-48c1-996a-b6de7726603c", "1ab1b9c7-9892-48c1-996a-b6de7726603c"],
    open: (dir, cacheDir, fs) => openAgentStorage(agent, { dir, cacheDir, fs, env: {} }),
    async write(dir, { id, said }) {
      const key = join(dir, FOLDER, id, `${id}.jsonl`)
      await mkdir(dirname(key), { recursive: true })
      await writeFile(key, linesOf(said.flatMap(turn)))
      return key
    },
    say: (_, key, said) => appendFile(key, linesOf(turn(said))),
    remove: (_, key) => rm(key),
    async addUnknown(_, key) {
      await appendFile(key, linesOf([{ type: "hologram" }]))
      return "hologram"
    },
  },
)

test("a transcript has the folder that the user trusted, of which the name of its own folder is a spelling", async () => {
  const { listed } = await inFolder(agent, {
    "projects/srv-a-b/agent-transcripts/a/a.jsonl": turn("Why?"),
    "projects/srv-a-b/.workspace-trusted": JSON.stringify({ workspacePath: "/srv/a-b" }),
    "projects/other/agent-transcripts/b/b.jsonl": turn("Where?"),
  })
  const folders = (await listed()).map(({ id, cwd }) => [id, cwd])
  expect(folders.sort()).toEqual([
    ["a", "/srv/a-b"],
    ["b", ""],
  ])
})

test("has patches, the time behind pictures, and no prompt where Cursor asks in the place of the user", async () => {
  const images = "[Image]\n<image_files>\n1. /shop/a.png\n</image_files>\n"
  const query = (text: string) =>
    `<timestamp>Monday, May 4, 2026, 2:45 AM (UTC+5:30)</timestamp>\n<user_query>${text}</user_query>`
  const patch = "*** Begin Patch\n*** Add File: /shop/a.ts\n+one\n*** End Patch"
  const { contextOf, listed } = await inFolder(agent, {
    [`${FOLDER}/a/a.jsonl`]: [
      say(text(`${images}${query("\nSay </user_query> and <timestamp>\n")}`)),
      answer("I write.", { type: "tool_use", name: "ApplyPatch", input: patch }),
      say(text(query("The above subagent result is already visible to the user. DO NOT reiterate."))),
      answer("Done"),
    ],
  })
  expect(await contextOf(`${FOLDER}/a/a.jsonl`)).toMatchObject([
    { role: "user", prompt: "Say </user_query> and <timestamp>" },
    { role: "assistant", content: [{}, { name: "ApplyPatch", arguments: { input: patch } }] },
    { role: "custom" },
    { role: "assistant" },
  ])
  expect((await listed())[0]?.created).toBe(Date.parse("2026-05-03T21:15:00Z"))
})

test("shows and finds why a turn failed, which the model does not get, and keeps what was written about a chat", async () => {
  const { contextOf, found, storage, dir } = await inFolder(agent, {
    [`${FOLDER}/a/a.jsonl`]: [
      { type: "metadata", metadata: { overview: "A walk" } },
      ...turn("Why is it wrong?"),
      { type: "error", error: "Provider Error: overloaded" },
      say(text("<user_query>\nAnd now?\n</user_query>")),
      { type: "turn_ended", status: "error", error: "The usage limit was reached" },
      { type: "turn_ended", status: "aborted" },
    ],
  })
  const path = `${FOLDER}/a/a.jsonl`
  expect(shortly(await contextOf(path))).toHaveLength(3)
  expect([await found("overloaded"), await found('"usage limit"')]).toEqual([1, 1])
  const { kinds } = await storage.report(join(dir, path))
  expect(kinds).toMatchObject({
    metadata: { kept: 1 },
    error: { converted: 1 },
    turn_ended: { converted: 1, skipped: 2 },
  })
})

describe("chats in databases", () => {
  const chat = { agentId: "c1", name: "Backups", createdAt: 1795600000000, lastUsedModel: "composer-2" }
  const messages = [
    { role: "system", content: "Be brief." },
    { role: "user", content: "<user_info>\nWorkspace Path: /srv/shop\n</user_info>" },
    { role: "user", content: [text("<user_query>\nHow do I back up?\n</user_query>")] },
    {
      role: "assistant",
      content: [
        { type: "reasoning", text: "Look first.", providerOptions: { cursor: { modelName: "claude-opus-5" } } },
        { type: "tool-call", toolCallId: "t1", toolName: "Shell", args: { command: "ls" } },
      ],
    },
    { role: "tool", content: [{ type: "tool-result", toolCallId: "t1", toolName: "Shell", result: "one two" }] },
    { role: "assistant", content: [text("Copy it.")] },
  ]

  test("has what was said, called and answered, its model, name, time and folder", async () => {
    const { dir, listed, sessions } = await inFolder(agent, {
      "chats/hash/c1/meta.json": JSON.stringify({ title: "Title", isSubagent: true }),
    })
    await addChat(dir, chat, messages, "file:///srv/my%20shop")
    const [info] = await listed()
    expect(info).toMatchObject({
      ...{ id: "c1", name: "Backups", cwd: "/srv/my shop", firstMessage: "How do I back up?", created: 1795600000000 },
      ...{ model: "cursor/claude-opus-5", kind: "subtask" },
    })
    const context = (await sessions.readContext(info?.path ?? "")).messages
    expect(context).toMatchObject([
      { role: "system" },
      { role: "custom" },
      { role: "user", prompt: "How do I back up?" },
      {
        role: "assistant",
        content: [{ type: "thinking" }, { type: "toolCall", id: "t1", arguments: { command: "ls" } }],
      },
      { role: "toolResult", toolCallId: "t1", toolName: "Shell", content: [{ text: "one two" }] },
      { role: "assistant", content: [{ text: "Copy it." }] },
    ])
  })

  test("has what a summary stands for, and gives the model the summary in its place", async () => {
    const { dir, listed, sessions } = await inFolder(agent, {})
    const [system, info, ...said] = messages
    const summary = { role: "user", content: "They copy it.", providerOptions: { cursor: { isSummary: true } } }
    const rest = { role: "user", content: [text("<user_query>And then?</user_query>")] }
    await addChat(dir, chat, [system, info, summary, rest], "", { archives: [said.slice(0, 2), [...said.slice(1)]] })
    const [found] = await listed()
    expect(found?.firstMessage).toBe("How do I back up?")
    const session = await sessions.open(found?.path ?? "", { access: "read" })
    const types = session
      .getBranch()
      .map((entry) => ("message" in entry ? (entry.message as { role: string }).role : entry.type))
    expect(types).toEqual([
      ...[
        "session_info",
        "system",
        "custom_message",
        "user",
        "assistant",
        "toolResult",
        "assistant",
        "compaction",
        "user",
      ],
    ])
    const context = await sessions.readContext(found?.path ?? "")
    expect(shortly(context.messages)).toEqual([
      "system: Be brief.",
      "user: <user_info>\nWorkspace Path: /srv/shop\n</user_info>",
      "user: They copy it.",
      "user: <user_query>And then?</user_query>",
    ])
  })

  test("has no prompt where Cursor alone speaks, and results that failed as failed", async () => {
    const { dir, listed, sessions } = await inFolder(agent, {})
    const cursor = (fields: object) => ({ providerOptions: { cursor: fields } })
    const result = (fields: object) => ({ type: "tool-result", toolCallId: "t1", toolName: "Shell", ...fields })
    await addChat(dir, chat, [
      { role: "user", content: [text("<system_reminder>Be quick</system_reminder>\n<git_status>a.ts</git_status>")] },
      { role: "user", content: "<rules>\nNone\n</rules>\nFix <rules> it" },
      { role: "assistant", content: [{ type: "tool-call", toolCallId: "t1", toolName: "Shell", args: {} }] },
      {
        ...{ role: "tool", content: [result({ experimental_content: [text("Exit code: 1")] })] },
        ...cursor({ highLevelToolCallResult: { isError: true } }),
      },
      { role: "user", content: "You repeat yourself.", ...cursor({ loopReminder: true }) },
    ])
    const [info] = await listed()
    expect(info?.firstMessage).toBe("Fix <rules> it")
    expect((await sessions.readContext(info?.path ?? "")).messages).toMatchObject([
      { role: "custom" },
      { role: "user", prompt: "Fix <rules> it" },
      { role: "assistant" },
      { role: "toolResult", content: [{ text: "Exit code: 1" }], isError: true },
      { role: "custom" },
    ])
  })

  test("has pictures and files of prompts and results", async () => {
    const { dir, listed, sessions } = await inFolder(agent, {})
    const bytes = (hex: string) => ({ __type: "Uint8Array", hex })
    await addChat(dir, chat, [
      {
        role: "user",
        content: [
          text("<user_query>Look</user_query>"),
          { type: "image", image: bytes("89504e47"), mimeType: "image/png" },
          { type: "image", image: "data:image/jpeg;base64,iVBORw==", mimeType: "image/jpeg" },
          { type: "file", data: bytes("25504446"), mimeType: "application/pdf", filename: "a.pdf" },
          { type: "file", data: "b25l", mimeType: "text/plain", filename: "a.txt" },
        ],
      },
      {
        role: "assistant",
        content: [{ type: "tool-call", toolCallId: "t1", toolName: "Read", args: { path: "b.png" } }],
      },
      {
        role: "tool",
        content: [
          {
            ...{ type: "tool-result", toolCallId: "t1", toolName: "Read", result: "A picture" },
            experimental_content: [text("A picture"), { type: "image", data: "iVBORw==", mimeType: "image/png" }],
          },
        ],
      },
    ])
    const [info] = await listed()
    expect((await sessions.readContext(info?.path ?? "")).messages).toMatchObject([
      {
        prompt: "Look",
        content: [
          { type: "text" },
          { type: "image", data: "iVBORw==", mimeType: "image/png" },
          { type: "image", data: "iVBORw==", mimeType: "image/jpeg" },
          { type: "document", title: "a.pdf", source: { media_type: "application/pdf", data: "JVBERg==" } },
          { type: "text", text: "one" },
        ],
      },
      { role: "assistant" },
      { role: "toolResult", content: [{ text: "A picture" }, { type: "image", data: "iVBORw==" }] },
    ])
  })

  test("is found where the SDK keeps it, and named where it does not say which chat it is", async () => {
    const { dir, listed } = await inFolder(agent, {})
    await addChat(dir, chat, messages, "file:///srv/shop", {
      path: "projects/srv-shop/sdk-agent-store/5f/agents/agent-1",
    })
    await addChat(dir, { agentId: "c2" }, messages, "", { meta: "no digits" })
    const infos = await listed()
    expect(infos.flatMap(({ id, cwd, error }) => (error ? [] : [[id, cwd]]))).toEqual([["c1", "/srv/shop"]])
    expect(infos.flatMap(({ error }) => error?.message ?? [])).toEqual([
      expect.stringContaining("is missing or damaged"),
    ])
  })

  test("has the folder, the name and the usage that the SDK notes of its runs, also where there is a transcript", async () => {
    const { dir, listed, sessions } = await inFolder(agent, { [`${FOLDER}/c2/c2.jsonl`]: turn("How do I restore?") })
    const root = join(dir, "projects/srv-shop/sdk-agent-store/5f")
    await addChat(dir, { agentId: "c1" }, messages, "", { path: "projects/srv-shop/sdk-agent-store/5f/agents/agent-1" })
    const db = (await loadDriver()).open(join(root, "index.db"))
    db.exec(`CREATE TABLE agents (agent_id TEXT, workspace_ref TEXT, status TEXT, name TEXT);
      CREATE TABLE runs (run_id TEXT, agent_id TEXT, turn_number INTEGER, model TEXT, usage_json TEXT, finished_at TEXT, updated_at TEXT);
      INSERT INTO agents VALUES ('c1', '/srv/shop', 'ARCHIVED', 'Back up'), ('c2', '/srv/shop', 'IDLE', NULL)`)
    const usage = { inputTokens: 100, outputTokens: 20, cacheReadTokens: 700, cacheWriteTokens: 5, reasoningTokens: 9 }
    const at = "2026-09-01T10:00:00.000Z"
    for (const [run, of, turn, used] of [
      ["r1", "c1", 1, usage],
      ["r2", "c1", 2, null],
      ["r3", "c2", 1, usage],
    ] as const)
      db.prepare("INSERT INTO runs VALUES (?, ?, ?, 'composer-2', ?, ?, ?)").run(
        ...[run, of, turn, used && JSON.stringify(used), at, at],
      )
    db.close()
    const infos = await listed()
    expect(infos.map(({ id, cwd, name, kind }) => [id, cwd, name, kind]).sort()).toEqual([
      ["c1", "/srv/shop", "Back up", "archived"],
      ["c2", "/srv/shop", undefined, "sdk"],
    ])
    for (const { path } of infos) {
      const session = await sessions.open(path, { access: "read" })
      const used = session.getEntries().filter((entry) => isEntry(entry, "usage"))
      expect(used).toMatchObject([
        {
          provider: "cursor",
          model: "composer-2",
          timestamp: at,
          usage: { input: 100, output: 20, cacheRead: 700, cacheWrite: 5, reasoning: 9, totalTokens: 825 },
        },
      ])
      await session.close()
    }
    await writeFile(join(root, "index.db"), "no database, but long enough to be read as one".repeat(40))
    expect((await listed()).filter(({ error }) => error).map(({ path }) => path)).toEqual([join(root, "index.db")])
  })

  test("is read from its transcript where there is one", async () => {
    const { dir, listed } = await inFolder(agent, { [`${FOLDER}/c1/c1.jsonl`]: turn("How do I back up?") })
    await addChat(dir, chat, messages)
    await addChat(dir, { ...chat, agentId: "c2" }, messages)
    const paths = (await listed()).map(({ path }) => path.slice(dir.length + 1))
    expect(paths.sort()).toEqual([`chats/hash/c2/store.db/c2`, `${FOLDER}/c1/c1.jsonl`])
  })

  test("keeps what a damaged or missing message leaves, and lists none in which nothing was said", async () => {
    const { dir, listed, storage } = await inFolder(agent, {})
    await addChat(dir, chat, ["no JSON", undefined, ...messages])
    await addChat(dir, { agentId: "c2", name: "New Agent" }, undefined)
    const [info, ...others] = await listed()
    expect([info?.firstMessage, others]).toEqual(["How do I back up?", []])
    const { kinds } = await storage.report(info?.path ?? "")
    expect([kinds.damaged, kinds.missing]).toMatchObject([{ kept: 1 }, { kept: 1 }])
  })
})

interface ChatFields {
  /** Of what summaries stand for, the messages. */
  readonly archives?: readonly (readonly unknown[])[]
  /** What the database says of its chat. Default: what is given, in hexadecimal digits. */
  readonly meta?: string
  /** Its folder. */
  readonly path?: string
}

/** A database as the command writes it: JSON by its digest, and a root in Protocol Buffers that lists the digests. */
async function addChat(
  dir: string,
  chat: { agentId: string; name?: string },
  messages?: readonly unknown[],
  folder = "",
  { archives = [], meta, path = `chats/hash/${chat.agentId}` }: ChatFields = {},
) {
  const file = join(dir, path, "store.db")
  await mkdir(dirname(file), { recursive: true })
  const db = (await loadDriver()).open(file)
  db.exec("CREATE TABLE blobs (id TEXT PRIMARY KEY, data BLOB); CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT)")
  const add = (data: Buffer): Buffer => {
    const digest = createHash("sha256").update(data).digest()
    db.prepare("INSERT OR IGNORE INTO blobs VALUES (?, ?)").run(digest.toString("hex"), data)
    return digest
  }
  const field = (number: number, bytes: Buffer) => Buffer.concat([Buffer.of(number * 8 + 2, bytes.length), bytes])
  const fieldsOf = (number: number, list: readonly Buffer[]) => Buffer.concat(list.map((one) => field(number, one)))
  const addMessage = (message: unknown): Buffer =>
    message === undefined
      ? Buffer.alloc(32, 7)
      : add(Buffer.from(typeof message === "string" ? message : JSON.stringify(message)))
  const archived = archives.map((list) => add(fieldsOf(1, list.map(addMessage))))
  // A count and a number of 8 bytes, which readers of other fields pass over.
  const others = Buffer.from([0x10, 0x96, 0x01, 0x19, 1, 2, 3, 4, 5, 6, 7, 8])
  const own = [others, field(9, Buffer.from(folder)), fieldsOf(13, archived)]
  const root = messages && add(Buffer.concat([fieldsOf(1, messages.map(addMessage)), ...own]))
  const said = { ...chat, ...(root && { latestRootBlobId: root.toString("hex") }) }
  db.prepare("INSERT INTO meta VALUES ('0', ?)").run(meta ?? Buffer.from(JSON.stringify(said)).toString("hex"))
  db.close()
}
