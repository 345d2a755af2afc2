import { rm } from "node:fs/promises"
import { join } from "node:path"
import { openAgentStorage } from "@treelog/agents/kit"
import { agentContract } from "@treelog/agents/testing"
import { loadDriver } from "@treelog/index-sqlite"
import type { SqliteDatabase } from "@treelog-internal/sqlite"
import { describe, expect, it, test } from "vitest"
import { addMessage, addSession, call, finish, listProject, result, SONNET, text, withCrush } from "./crush-database.js"
import { crush as agent } from "./door.js"
import { inFolder } from "./in-folder.js"

const idOf = (key: string): string => decodeURIComponent(key.slice(key.lastIndexOf("/") + 1))
/** The project that has a key. */
const projectOf = (key: string): string => key.slice(0, key.indexOf("/.crush/"))
let clock = 1

function say(db: SqliteDatabase, id: string, said: string): void {
  addMessage(db, id, clock++, "user", [text(said), finish("stop")])
  addMessage(db, id, clock++, "assistant", [text("Answer"), finish("end_turn")], SONNET)
}

agentContract(
  { describe, it },
  {
    name: "crush",
    ids: ["0b7a-aaaa", "0b7a-bbbb"],
    loadDriver,
    open: (dir, cacheDir, fs) => openAgentStorage(agent, { dir, cacheDir, env: {}, fs, loadDriver }),
    write: (dir, { id, cwd, said }) =>
      withCrush(
        dir,
        (db) => {
          addSession(db, id, clock++)
          for (const one of said) say(db, id, one)
          return join(dir, cwd, ".crush", "crush.db", id)
        },
        cwd,
        join(dir, cwd, ".crush"),
      ),
    say: (dir, key, said) => inProject(dir, key, (db) => say(db, idOf(key), said)),
    remove: (dir, key) =>
      inProject(dir, key, (db) => {
        db.prepare("DELETE FROM messages WHERE session_id = ?").run(idOf(key))
        db.prepare("DELETE FROM sessions WHERE id = ?").run(idOf(key))
      }),
    addUnknown: (dir, key) =>
      inProject(dir, key, (db) => {
        addMessage(db, idOf(key), clock++, "user", [{ type: "hologram", data: {} }, text("hello")])
        return "part:hologram"
      }),
  },
)

function inProject<Result>(dir: string, key: string, change: (db: SqliteDatabase) => Result): Promise<Result> {
  const project = projectOf(key)
  return withCrush(dir, change, project.slice(dir.length), join(project, ".crush"))
}

async function crush(add: (db: SqliteDatabase) => void) {
  const folder = await inFolder(agent, {})
  await withCrush(folder.dir, add)
  const key = (id: string): string => join("shop/.crush/crush.db", encodeURIComponent(id))
  return { ...folder, key, contextOf: (id: string) => folder.contextOf(key(id)) }
}

test("sessions of all projects are listed with their folders, and a project that is gone has none", async () => {
  const folder = await inFolder(agent, {})
  for (const project of ["shop", "till"])
    await withCrush(
      folder.dir,
      (db) => {
        addSession(db, `of ${project}`, 1, { title: `Work on ${project}` })
        say(db, `of ${project}`, "Why?")
      },
      join(folder.dir, project),
    )
  listProject(folder.dir, "/gone", "/gone/.crush")
  const listed = await folder.listed()
  expect(listed.map(({ id, name, cwd }) => [id, name, cwd]).sort()).toEqual([
    ["of shop", "Work on shop", join(folder.dir, "shop")],
    ["of till", "Work on till", join(folder.dir, "till")],
  ])
  await rm(join(folder.dir, "till"), { recursive: true })
  expect((await folder.listed()).map(({ id }) => id)).toEqual(["of shop"])
})

test("a folder of data that is not absolute is one in its project", async () => {
  const folder = await inFolder(agent, {})
  const shop = join(folder.dir, "shop")
  await withCrush(folder.dir, (db) => {
    addSession(db, "a", 1)
    say(db, "a", "Why?")
  })
  listProject(folder.dir, shop, ".crush")
  expect(await folder.listed()).toMatchObject([{ id: "a", cwd: shop }])
})

test("of a database that several projects use, the folder is the one that .crush is in, and else unknown", async () => {
  const folder = await inFolder(agent, {})
  const add = (id: string) => (db: SqliteDatabase) => {
    addSession(db, id, 1)
    say(db, id, "Why?")
  }
  await withCrush(folder.dir, add("a"), "/home/ada/shop/app", join(folder.dir, "shop/.crush"))
  listProject(folder.dir, "/home/ada/shop/docs", join(folder.dir, "shop/.crush"))
  await withCrush(folder.dir, add("b"), "/home/ada/one", join(folder.dir, "all"))
  listProject(folder.dir, "/home/ada/two", join(folder.dir, "all"))
  expect((await folder.listed()).map(({ id, cwd }) => [id, cwd]).sort()).toEqual([
    ["a", join(folder.dir, "shop")],
    ["b", ""],
  ])
})

test("a prompt has attached texts, commands and images as the model gets them, and what was typed", async () => {
  const { contextOf } = await crush((db) => {
    addSession(db, "a", 0)
    addMessage(db, "a", 1, "user", [
      text(" Look "),
      { type: "binary", data: { Path: "/a.txt", MIMEType: "text/plain", Data: Buffer.from("one").toString("base64") } },
      { type: "binary", data: { Path: "/b.png", MIMEType: "image/png", Data: "aGk=" } },
      finish("stop"),
    ])
    const ran = { command: "ls", output: "\u001b[31mone\u001b[0m", exit_code: 0 }
    addMessage(db, "a", 2, "user", [{ type: "shell_command", data: ran }, finish("stop")])
  })
  expect(await contextOf("a")).toMatchObject([
    {
      role: "user",
      prompt: "Look",
      content: [
        {
          text: "Look\n<system_info>The files below have been attached by the user, consider them in your response</system_info>\n<file path='/a.txt'>\n\none\n</file>\n",
        },
        { type: "image", mimeType: "image/png", data: "aGk=" },
      ],
    },
    { role: "user", prompt: "!ls", content: [{ text: "$ ls\none\n(exit code 0)" }] },
  ])
})

test("a reply has its thought, its calls and why it ended; results have what the model gets, also where they are lost", async () => {
  const { contextOf } = await crush((db) => {
    addSession(db, "a", 0)
    addMessage(db, "a", 1, "user", [text("Go"), finish("stop")])
    const thought = { thinking: "Hm", signature: "sig", thought_signature: "", tool_id: "", responses_data: null }
    addMessage(
      db,
      "a",
      2,
      "assistant",
      [
        { type: "reasoning", data: thought },
        text("So "),
        ...["1", "2", "3", "4"].map((id) => call(id, "bash", id === "4" ? "{oops" : { command: "ls" })),
        finish("tool_use"),
      ],
      SONNET,
    )
    addMessage(db, "a", 3, "tool", [result("1", "one", { metadata: '{"start_time":1}' })])
    addMessage(db, "a", 4, "tool", [
      result("2", "No such file", { is_error: true }),
      result("3", "Loaded image/png content", { data: "aGk=", mime_type: "image/png" }),
      result("9", "of no call"),
    ])
  })
  expect(await contextOf("a")).toMatchObject([
    { role: "user" },
    {
      provider: "anthropic",
      model: "claude-sonnet-5",
      stopReason: "toolUse",
      content: [
        { type: "thinking", thinking: "Hm", thinkingSignature: "sig" },
        { type: "text", text: "So" },
        { type: "toolCall", id: "1", name: "bash", arguments: { command: "ls" } },
        { id: "2" },
        { id: "3" },
        { id: "4", arguments: { input: "{oops" } },
      ],
    },
    { role: "toolResult", toolCallId: "1", isError: false, content: [{ text: "one" }], details: { start_time: 1 } },
    { toolCallId: "2", isError: true, content: [{ text: "No such file" }] },
    { toolCallId: "3", content: [{ type: "image", mimeType: "image/png", data: "aGk=" }] },
    { toolCallId: "4", isError: true, content: [{ text: expect.stringMatching(/interrupted/) }] },
  ])
})

test("a reply that failed before it said anything is not sent; one that was stopped in the middle is", async () => {
  const { contextOf, sessions, dir, key } = await crush((db) => {
    addSession(db, "a", 0)
    addMessage(db, "a", 1, "user", [text("Go"), finish("stop")])
    const failed = finish("error", { message: "Provider Error", details: "no balance" })
    addMessage(db, "a", 2, "assistant", [failed], SONNET)
    addMessage(db, "a", 3, "user", [text("Again"), finish("stop")])
    addMessage(
      db,
      "a",
      4,
      "assistant",
      [text("Well"), finish("canceled", { message: "User canceled request" })],
      SONNET,
    )
  })
  expect(await contextOf("a")).toMatchObject([
    { role: "user" },
    { role: "user", content: [{ text: "Again" }] },
    { role: "assistant", stopReason: "aborted", content: [{ text: "Well" }] },
  ])
  const session = await sessions.open(join(dir, key("a")), { access: "read" })
  expect(session.getEntries()).toContainEqual(
    expect.objectContaining({
      message: expect.objectContaining({ stopReason: "error", errorMessage: "Provider Error: no balance" }),
    }),
  )
  await session.close()
})

test("the model gets the last summary as a prompt, and what follows; a summary that failed is an answer", async () => {
  const talk = (db: SqliteDatabase, summary: string | null): void => {
    addSession(db, "a", 0, { summary })
    addMessage(db, "a", 1, "user", [text("First"), finish("stop")])
    addMessage(db, "a", 2, "assistant", [text("Old summary"), finish("end_turn")], { ...SONNET, isSummary: true })
    addMessage(db, "a", 3, "user", [text("Second"), finish("stop")])
    addMessage(db, "a", 4, "assistant", [text("Summary"), finish("end_turn")], { ...SONNET, isSummary: true })
    addMessage(db, "a", 5, "user", [text("Third"), finish("stop")])
    addMessage(db, "a", 6, "assistant", [text("Half"), finish("error")], { ...SONNET, isSummary: true })
  }
  const { contextOf } = await crush((db) => talk(db, "msg-4"))
  expect(await contextOf("a")).toMatchObject([
    { role: "compactionSummary", summary: "Summary", verbatim: true },
    { role: "user", content: [{ text: "Third" }] },
    { role: "assistant", content: [{ text: "Half" }] },
  ])
  const deleted = await crush((db) => talk(db, "msg-none"))
  expect((await deleted.contextOf("a")).map(({ role }) => role)).toEqual([
    ...["user", "assistant", "user", "assistant", "user", "assistant"],
  ])
})

test("sub-agents are parts behind the result of their call, and what they cost is in the cost of the session", async () => {
  const { listed, usage, copiedParts, key, sessions, dir } = await crush((db) => {
    addSession(db, "a", 0, { cost: 0.5 })
    addMessage(db, "a", 1, "user", [text("Go"), finish("stop")])
    addMessage(db, "a", 2, "assistant", [call("c1", "agent", { prompt: "Look" }), finish("tool_use")], SONNET)
    addSession(db, "msg-2$$c1", 3, { parent: "a", title: "New Agent Session", cost: 0.2 })
    addMessage(db, "msg-2$$c1", 4, "user", [text("Look"), finish("stop")])
    addMessage(db, "msg-2$$c1", 5, "assistant", [text("Found"), finish("end_turn")], SONNET)
    addMessage(db, "a", 6, "tool", [result("c1", "Found")])
    addSession(db, "title-a", 7, { parent: "a", title: "Generate a title" })
  })
  expect((await listed()).map(({ id }) => id)).toEqual(["a"])
  expect(await copiedParts(key("a"))).toEqual(["msg-2$$c1.jsonl", "source.jsonl.gz"])
  expect(await usage()).toMatchObject({ cost: 0.5 })
  const session = await sessions.open(join(dir, key("a")), { access: "read" })
  expect(session.getEntries()).toContainEqual(
    expect.objectContaining({
      customType: "treelog.part",
      data: { name: "msg-2$$c1.jsonl", role: "subagent", call: "c1" },
    }),
  )
  await session.close()
})

test("of a message whose parts are no JSON the rest of the session is read, and it is named", async () => {
  const { contextOf, storage, dir, key } = await crush((db) => {
    addSession(db, "a", 0)
    addMessage(db, "a", 1, "user", [text("Go"), finish("stop")])
    addMessage(db, "a", 2, "assistant", '[{"type":"te', SONNET)
    addMessage(db, "a", 3, "user", [text("On"), finish("stop")])
  })
  expect((await contextOf("a")).map(({ role }) => role)).toEqual(["user", "user"])
  expect((await storage.report(join(dir, key("a")))).diagnostics).toMatchObject([{ kind: "invalid-json" }])
})

test("databases of the first versions, without summaries and providers, are read", async () => {
  const { contextOf } = await crush((db) => {
    for (const column of ["provider", "is_summary_message"]) db.exec(`ALTER TABLE messages DROP COLUMN ${column}`)
    for (const column of ["summary_message_id", "todos"]) db.exec(`ALTER TABLE sessions DROP COLUMN ${column}`)
    db.exec("INSERT INTO sessions (id, title, updated_at, created_at) VALUES ('a', 'Shop', 1745000000, 1745000000)")
    db.exec(`INSERT INTO messages (id, session_id, role, parts, model, created_at, updated_at) VALUES
      ('1', 'a', 'user', '[{"type":"text","data":{"text":"Hi"}}]', '', 1745000001, 1745000001)`)
  })
  expect(await contextOf("a")).toMatchObject([{ role: "user", timestamp: 1_745_000_001_000 }])
})
