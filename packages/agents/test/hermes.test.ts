import { mkdirSync } from "node:fs"
import { dirname, join } from "node:path"
import { openAgentStorage } from "@treelog/agents/kit"
import { agentContract } from "@treelog/agents/testing"
import { loadDriver } from "@treelog/index-sqlite"
import type { SqliteDatabase } from "@treelog-internal/sqlite"
import { describe, expect, it, test } from "vitest"
import { hermes as agent } from "./door.js"
import { inFolder, shortly } from "./in-folder.js"

// The columns of schema 30 that are read.
const TABLES = `
  CREATE TABLE IF NOT EXISTS sessions (id TEXT PRIMARY KEY, source TEXT NOT NULL, session_key TEXT, model TEXT, model_config TEXT,
    parent_session_id TEXT, started_at REAL NOT NULL, ended_at REAL, end_reason TEXT, input_tokens INTEGER DEFAULT 0,
    output_tokens INTEGER DEFAULT 0, cache_read_tokens INTEGER DEFAULT 0, cache_write_tokens INTEGER DEFAULT 0, cwd TEXT,
    git_branch TEXT, billing_provider TEXT, title TEXT, title_source TEXT, archived INTEGER NOT NULL DEFAULT 0);
  CREATE TABLE IF NOT EXISTS messages (id INTEGER PRIMARY KEY AUTOINCREMENT, session_id TEXT NOT NULL, role TEXT NOT NULL, content TEXT,
    tool_call_id TEXT, tool_calls TEXT, tool_name TEXT, timestamp REAL NOT NULL, finish_reason TEXT, reasoning TEXT,
    reasoning_content TEXT, observed INTEGER DEFAULT 0, _compressed_summary INTEGER NOT NULL DEFAULT 0,
    active INTEGER NOT NULL DEFAULT 1, compacted INTEGER NOT NULL DEFAULT 0, api_content TEXT, display_kind TEXT);
  CREATE TABLE IF NOT EXISTS session_model_usage (session_id TEXT NOT NULL, model TEXT NOT NULL, billing_provider TEXT NOT NULL DEFAULT '',
    task TEXT NOT NULL DEFAULT '', input_tokens INTEGER NOT NULL DEFAULT 0, output_tokens INTEGER NOT NULL DEFAULT 0,
    cache_read_tokens INTEGER NOT NULL DEFAULT 0, cache_write_tokens INTEGER NOT NULL DEFAULT 0,
    actual_cost_usd REAL NOT NULL DEFAULT 0, first_seen REAL);`

/** Seconds since 1970. */
const START = Date.parse("2026-11-25T10:00:00.000Z") / 1000
let clock = START

type Fields = Readonly<Record<string, string | number | null>>

async function withHermes<Result>(
  dir: string,
  change: (db: SqliteDatabase) => Result,
  tables = TABLES,
): Promise<Result> {
  mkdirSync(dir, { recursive: true })
  const db = (await loadDriver()).open(join(dir, "state.db"))
  try {
    db.exec("PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0")
    db.exec(tables)
    return change(db)
  } finally {
    db.close()
  }
}

function insert(db: SqliteDatabase, table: string, fields: Fields): void {
  const names = Object.keys(fields)
  db.prepare(`INSERT INTO ${table} (${names}) VALUES (${names.map(() => "?")})`).run(...Object.values(fields))
}

function addSession(db: SqliteDatabase, id: string, fields: Fields = {}): void {
  const own = { cwd: "/home/ada/shop", model: "hermes-4-405b", billing_provider: "nous", started_at: START }
  insert(db, "sessions", { id, source: "cli", ...own, ...fields })
}

function add(db: SqliteDatabase, session_id: string, role: string, content: string | null, fields: Fields = {}): void {
  insert(db, "messages", { session_id, role, content, timestamp: ++clock, ...fields })
}

function turn(db: SqliteDatabase, id: string, said: string, fields: Fields = {}): void {
  add(db, id, "user", said, fields)
  add(db, id, "assistant", `Answer to ${said}`, { finish_reason: "stop", ...fields })
}

async function hermes(change: (db: SqliteDatabase) => void) {
  const folder = await inFolder(agent, {})
  await withHermes(folder.dir, change)
  return { ...folder, said: async (id: string) => shortly(await folder.contextOf(join("state.db", id))) }
}

test("calls, results, thoughts, pictures, what was sent in place of what was typed, and a call that was lost", async () => {
  const call = (id: string) => ({ id, type: "function", function: { name: "read_file", arguments: '{"path":"a"}' } })
  const image = { type: "image_url", image_url: { url: "data:image/png;base64,cGljdHVyZQ==" } }
  const { contextOf, listed } = await hermes((db) => {
    addSession(db, "a", { title: "A title", title_source: "user" })
    add(db, "a", "user", "Go", { api_content: "Go\n\nwith memories" })
    add(db, "a", "assistant", "", { tool_calls: JSON.stringify([call("c1"), call("c2")]), reasoning: "I think." })
    add(db, "a", "tool", "one", { tool_call_id: "c1", tool_name: "read_file" })
    add(db, "a", "user", `\0json:${JSON.stringify([{ type: "text", text: "See" }, image])}`)
    add(db, "a", "user", "Overheard", { observed: 1 })
  })
  expect(await contextOf("state.db/a")).toMatchObject([
    { role: "user", content: [{ text: "Go\n\nwith memories" }] },
    {
      content: [
        { type: "thinking", thinking: "I think." },
        { type: "toolCall", name: "read_file", arguments: { path: "a" } },
        { id: "c2" },
      ],
    },
    { role: "toolResult", toolCallId: "c1", toolName: "read_file", content: [{ text: "one" }] },
    { role: "toolResult", toolCallId: "c2", content: [{ text: expect.stringContaining("Result unavailable") }] },
    { role: "user", content: [{ text: "See" }, { type: "image", mimeType: "image/png" }] },
    { role: "custom", content: [{ text: "Overheard" }] },
  ])
  expect(await listed()).toMatchObject([{ name: "A title", firstMessage: "Go", cwd: "/home/ada/shop" }])
})

test("of arguments that were cut off, the text is kept", async () => {
  const cut = '{"path": "notes.md", "content": "One ...[truncated]'
  const { contextOf } = await hermes((db) => {
    addSession(db, "a")
    add(db, "a", "assistant", "", {
      tool_calls: JSON.stringify([{ id: "c1", function: { name: "write_file", arguments: cut } }]),
    })
    add(db, "a", "tool", "Failed", { tool_call_id: "c1" })
  })
  expect(await contextOf("state.db/a")).toMatchObject([{ content: [{ arguments: { input: cut } }] }, {}])
})

test("a call without an id has that of its result, and a result has the tool of the last call of its id", async () => {
  const { contextOf } = await hermes((db) => {
    addSession(db, "a")
    add(db, "a", "assistant", "", { tool_calls: JSON.stringify([{ name: "read_file", arguments: { path: "a" } }]) })
    add(db, "a", "tool", "one", { tool_call_id: "c1" })
    for (const name of ["terminal", "write_file"]) {
      add(db, "a", "assistant", "", {
        tool_calls: JSON.stringify([{ id: "same", function: { name, arguments: "{}" } }]),
      })
      add(db, "a", "tool", name, { tool_call_id: "same" })
    }
    add(db, "a", "assistant", "", { tool_calls: JSON.stringify([{ name: "a" }, { name: "b" }]) })
    add(db, "a", "tool", "of one", { tool_call_id: "c2" })
  })
  const messages = (await contextOf("state.db/a")) as { content: object[]; toolName?: string }[]
  const calls = messages.flatMap(({ content }) => content).filter((block) => "arguments" in block)
  expect(calls).toMatchObject([
    { id: "c1", arguments: { path: "a" } },
    { id: "same" },
    { id: "same" },
    { id: "7:1" },
    { id: "7:2" },
  ])
  expect(messages.flatMap(({ toolName }) => toolName ?? [])).toEqual(
    expect.arrayContaining(["read_file", "terminal", "write_file"]),
  )
})

test("what Hermes put among the prompts is none, whatever it shows for it, and the folder is that of the editor", async () => {
  const { said, listed } = await hermes((db) => {
    addSession(db, "a", { cwd: null, model_config: JSON.stringify({ cwd: "/home/ada/till" }) })
    add(db, "a", "user", "The model is another one.", { display_kind: "model_switch" })
    turn(db, "a", "Why?")
    add(db, "a", "user", "Agents are done.", { display_kind: "async_delegation_complete" })
  })
  expect(await listed()).toMatchObject([{ firstMessage: "Why?", cwd: "/home/ada/till" }])
  expect(await said("a")).toEqual([
    "custom: The model is another one.",
    "user: Why?",
    "assistant: Answer to Why?",
    "custom: Agents are done.",
  ])
})

test("prompts that name skills are what was typed, and a summary of an early version is none", async () => {
  const end = "then run them with the terminal tool using the absolute path."
  const alongside = "The user has provided the following instruction alongside the skill invocation: "
  const loaded = "The full skill content is loaded below.]\n\n# Review\n\n"
  const invoked = '[IMPORTANT: The user has invoked the "review" skill. '
  const bundle = '[IMPORTANT: The user has invoked the "/a /b" skill bundle, loading 2.'
  const prompts = [
    [`${invoked}${loaded}${alongside}check it\n\n[Runtime note: late]`, "/review check it"],
    [`${invoked}${loaded}${end}`, "/review"],
    [`[SYSTEM: The user has invoked the "old" skill. ${loaded}`, "/old"],
    [`${bundle}\nUser instruction: clean up\n\n[Loaded as part of the bundle]`, "/a /b clean up"],
    [`[IMPORTANT: The "shop" skill is auto-loaded. Follow it.]\n\n# Shop\n\n${end}\n\nWhy?`, "Why?"],
    ["[IMPORTANT] Why?", undefined],
  ] as const
  const { contextOf, listed } = await hermes((db) => {
    addSession(db, "a")
    add(db, "a", "user", "[CONTEXT COMPACTION — REFERENCE ONLY] All was said.")
    for (const [said] of prompts) add(db, "a", "user", said)
  })
  expect((await listed())[0]?.firstMessage).toBe("/review check it")
  const [summary, ...said] = (await contextOf(join("state.db", "a"))) as { role: string; prompt?: string }[]
  expect(summary?.role).toBe("custom")
  expect(said.map(({ prompt }) => prompt)).toEqual(prompts.map(([, prompt]) => prompt))
})

test("a thought that is there in parts alone is shown", async () => {
  const tables = TABLES.replace("reasoning_content TEXT,", "reasoning_content TEXT, reasoning_details TEXT,")
  const { dir, contextOf } = await inFolder(agent, {})
  await withHermes(
    dir,
    (db) => {
      addSession(db, "a")
      const parts = [
        { type: "reasoning.text", text: "Look " },
        { type: "reasoning.summary", summary: "first" },
      ]
      add(db, "a", "assistant", "Done", { reasoning_details: JSON.stringify(parts) })
    },
    tables,
  )
  expect(await contextOf(join("state.db", "a"))).toMatchObject([
    { content: [{ type: "thinking", thinking: "Look first" }, { text: "Done" }] },
  ])
})

test("the context has what is active: no messages that were taken back, and of a compaction what stands in their place", async () => {
  const { said, sessions, dir } = await hermes((db) => {
    addSession(db, "a")
    turn(db, "a", "First", { active: 0, compacted: 1 })
    turn(db, "a", "Second", { active: 0, compacted: 1 })
    const tail = clock
    add(db, "a", "user", "All was said.", { _compressed_summary: 1 })
    insert(db, "messages", {
      session_id: "a",
      role: "assistant",
      content: "Answer to Second",
      finish_reason: "stop",
      timestamp: tail,
    })
    turn(db, "a", "Gone", { active: 0 })
    turn(db, "a", "Now")
  })
  expect(await said("a")).toEqual([
    "user: All was said.",
    "assistant: Answer to Second",
    "user: Now",
    "assistant: Answer to Now",
  ])
  const session = await sessions.open(join(dir, "state.db/a"), { access: "read" })
  const texts = shortly(session.getEntries().flatMap((entry) => ("message" in entry ? [entry.message as object] : [])))
  expect(texts.filter((one) => one === "assistant: Answer to Second")).toHaveLength(1)
  expect(texts).toContain("user: Gone")
  await session.close()
})

test("where all was put away, and its summary is not marked, the context has what is active", async () => {
  const { said } = await hermes((db) => {
    addSession(db, "a")
    turn(db, "a", "First", { active: 0, compacted: 1 })
    turn(db, "a", "Now")
    addSession(db, "b")
    turn(db, "b", "First", { active: 0, compacted: 1 })
  })
  expect(await said("a")).toEqual(["user: Now", "assistant: Answer to Now"])
  expect(await said("b")).toEqual([])
})

test("sub-agents are parts of their session; branches, resets and what goes on behind a compaction have a parent", async () => {
  const config = (marker: string) => JSON.stringify({ [marker]: "a" })
  const { listed, storage, sessions, dir } = await hermes((db) => {
    addSession(db, "a", { session_key: "chat" })
    addSession(db, "child", { parent_session_id: "a", model_config: config("_delegate_from") })
    addSession(db, "branch", {
      parent_session_id: "a",
      model_config: config("_branched_from"),
      archived: 1,
      git_branch: "x",
    })
    addSession(db, "old", { ended_at: START + 1, end_reason: "compression" })
    addSession(db, "next", { parent_session_id: "old" })
    for (const id of ["a", "child", "branch", "old", "next"]) turn(db, id, `In ${id}`)
  })
  expect((await listed()).map(({ id }) => id).sort()).toEqual(["a", "branch", "next", "old"])
  const parts: unknown[] = []
  for await (const { part } of storage.parts(join(dir, "state.db/a"))) parts.push(part)
  expect(parts).toMatchObject([{ name: "child.jsonl", role: "subagent" }])
  const headers = []
  for (const id of ["branch", "next"]) {
    const session = await sessions.open(join(dir, "state.db", id), { access: "read" })
    headers.push(session.getHeader())
    await session.close()
  }
  expect(headers).toMatchObject([
    { parentSession: "a", source: { archived: true, branch: "x" } },
    { parentSession: "old" },
  ])
})

test("tokens are those of each model, with what they cost; of early versions those of the session", async () => {
  const tokens = { input_tokens: 10, output_tokens: 5, cache_read_tokens: 1000, cache_write_tokens: 100 }
  const { usage } = await hermes((db) => {
    addSession(db, "a", { ...tokens, input_tokens: 99 })
    turn(db, "a", "One")
    insert(db, "session_model_usage", {
      session_id: "a",
      model: "m",
      billing_provider: "nous",
      ...tokens,
      actual_cost_usd: 0.5,
    })
    insert(db, "session_model_usage", {
      session_id: "a",
      model: "m",
      billing_provider: "nous",
      task: "title",
      ...tokens,
    })
    addSession(db, "b", tokens)
    turn(db, "b", "Two")
  })
  expect(await usage()).toMatchObject({ input: 30, output: 15, cacheRead: 3000, cacheWrite: 300 })
})

test("a database of early versions, with fewer columns and tables, is read", async () => {
  const folder = await inFolder(agent, {})
  const early = `
    CREATE TABLE sessions (id TEXT PRIMARY KEY, source TEXT NOT NULL, parent_session_id TEXT, started_at REAL NOT NULL, model TEXT);
    CREATE TABLE messages (id INTEGER PRIMARY KEY AUTOINCREMENT, session_id TEXT NOT NULL, role TEXT NOT NULL, content TEXT, tool_call_id TEXT, tool_calls TEXT, tool_name TEXT, timestamp REAL NOT NULL);`
  await withHermes(
    folder.dir,
    (db) => {
      insert(db, "sessions", { id: "a", source: "cli", started_at: START })
      add(db, "a", "user", "One")
      add(db, "a", "assistant", "Yes")
    },
    early,
  )
  expect(shortly(await folder.contextOf("state.db/a"))).toEqual(["user: One", "assistant: Yes"])
})

describe("transcripts beside the database", () => {
  const id = "20261125_100000_aaaaaaaa"
  const call = { id: "c1", type: "function", function: { name: "terminal", arguments: '{"command":"ls"}' } }
  const lines = [
    {
      role: "session_meta",
      model: "hermes-4-405b",
      platform: "cli",
      tools: [],
      timestamp: "2026-11-25T10:00:00.500000",
    },
    { role: "user", content: "What is here?", timestamp: "2026-11-25T10:00:01.000000" },
    {
      role: "assistant",
      content: "",
      reasoning: "I look.",
      finish_reason: "tool_calls",
      tool_calls: [call],
      timestamp: "2026-11-25T10:00:02.000000",
    },
    { role: "tool", content: "a.ts", tool_call_id: "c1", timestamp: "2026-11-25T10:00:03.000000" },
    { role: "assistant", content: "One file.", finish_reason: "stop", timestamp: "2026-11-25T10:00:04.000000" },
  ]
  const said = ["user: What is here?", "assistant: ", "toolResult: a.ts", "assistant: One file."]

  test("are read where there is no database, in lines and as documents", async () => {
    const other = "20260403_153620_5a3e2f"
    const folder = await inFolder(agent, {
      [`sessions/${id}.jsonl`]: lines,
      [`sessions/session_${other}.json`]: JSON.stringify({
        session_id: other,
        ...{ model: "hermes-4-70b", platform: "telegram", session_start: "2026-04-03T15:36:20.123456" },
        messages: [
          { role: "user", content: "Good morning" },
          { role: "assistant", content: "Hello", reasoning_details: [{ type: "reasoning.text", text: "Greet." }] },
        ],
      }),
    })
    const infos = (await folder.listed()).sort((a, b) => b.created - a.created)
    expect(infos).toMatchObject([
      { id, firstMessage: "What is here?", created: Date.parse("2026-11-25T10:00:00.500") },
      { id: other, firstMessage: "Good morning", created: Date.parse("2026-04-03T15:36:20.123") },
    ])
    const context = await folder.contextOf(`sessions/${id}.jsonl`)
    expect(shortly(context)).toEqual(said)
    const called = { type: "toolCall", id: "c1", name: "terminal", arguments: { command: "ls" } }
    expect(context[1]).toMatchObject({ content: [{ thinking: "I look." }, called], stopReason: "toolUse" })
    expect(context[2]).toMatchObject({ toolCallId: "c1", toolName: "terminal" })
    const [, reply] = await folder.contextOf(`sessions/session_${other}.json`)
    expect(reply).toMatchObject({ model: "hermes-4-70b", content: [{ thinking: "Greet." }, { text: "Hello" }] })
  })

  test("are listed where the database lacks the session, which is read from it otherwise", async () => {
    const folder = await inFolder(agent, {
      [`sessions/${id}.jsonl`]: lines,
      "sessions/20261125_100000_bbbbbbbb.jsonl": lines,
    })
    await withHermes(folder.dir, (db) => {
      addSession(db, id)
      turn(db, id, "As the database has it")
    })
    const infos = await folder.listed()
    expect(infos.map(({ id, firstMessage }) => [id, firstMessage]).sort()).toEqual([
      [id, "As the database has it"],
      ["20261125_100000_bbbbbbbb", "What is here?"],
    ])
  })

  test("begin when their name says where no line has a time, and what is damaged is kept", async () => {
    const folder = await inFolder(agent, {
      [`sessions/${id}.jsonl`]:
        '{"role":"user","content":"One"}\n{"role":"assistant","content":"Tw\n{"role":"assistant","content":"Three"}\n',
    })
    expect(await folder.listed()).toMatchObject([{ id, created: Date.parse("2026-11-25T10:00:00") }])
    const session = await folder.sessions.open(join(folder.dir, `sessions/${id}.jsonl`), { access: "read" })
    expect(shortly(session.buildSessionContext().messages)).toEqual(["user: One", "assistant: Three"])
    expect(session.getEntries().map(({ type }) => type)).toEqual(["message", "custom", "message"])
  })
})

const idOf = (key: string): string => decodeURIComponent(key.slice(key.lastIndexOf("/") + 1))

agentContract(
  { describe, it },
  {
    name: "hermes",
    ids: ["20261125_100000_aaaaaa", "20261125_100000_bbbbbb"],
    loadDriver,
    open: (dir, cacheDir, fs) => openAgentStorage(agent, { dir, cacheDir, env: {}, fs, loadDriver }),
    write: (dir, { id, cwd, said }) =>
      withHermes(dir, (db) => {
        addSession(db, id, { cwd })
        for (const one of said) turn(db, id, one)
        return join(dir, "state.db", id)
      }),
    say: (_, key, said) => withHermes(dirname(dirname(key)), (db) => turn(db, idOf(key), said)),
    remove: (_, key) =>
      withHermes(dirname(dirname(key)), (db) => {
        db.prepare("DELETE FROM messages WHERE session_id = ?").run(idOf(key))
        db.prepare("DELETE FROM sessions WHERE id = ?").run(idOf(key))
      }),
    addUnknown: (_, key) =>
      withHermes(dirname(dirname(key)), (db) => {
        add(db, idOf(key), "hologram", "hello")
        return "message:hologram"
      }),
  },
)
