import { appendFile, mkdir, rm, utimes, writeFile } from "node:fs/promises"
import { dirname } from "node:path"
import { MemorySessionStorage, type SessionInfo, SessionManager } from "@treelog/session-core"
import { importSession } from "@treelog/session-core/maintenance"
import { describe, expect, it } from "vitest"
import { call, line, reply, result, system, text, user } from "../lines.js"
import { folderOfTest } from "./claude-folder.js"

const ID = "11111111-1111-4111-8111-111111111111"
const CWD = "/home/ada/shop"
const long = (id: string, parent: string) => reply(id, parent, [text("x".repeat(90_000))])
const command = (id: string, parent: string | null, name: string, args = "") =>
  user(id, parent, `<command-name>${name}</command-name>\n<command-args>${args}</command-args>`)
const stdout = (id: string, parent: string) => user(id, parent, "<local-command-stdout>Goodbye!</local-command-stdout>")

type Facts = Pick<SessionInfo, "kind" | "firstMessage" | "status"> & { name?: string }

/** What is listed of a file with these lines, and of a copy of it in another store. */
async function listed(...lines: (object | string)[]): Promise<SessionInfo[]> {
  const { pathOf, storage } = await folderOfTest()
  const path = pathOf(ID, CWD)
  await mkdir(dirname(path), { recursive: true })
  await writeFile(path, lines.map((line) => `${typeof line === "string" ? line : JSON.stringify(line)}\n`).join(""))
  const copies = new SessionManager({ storage: new MemorySessionStorage() })
  await importSession(copies, path, { storage })
  const found: SessionInfo[] = []
  for (const sessions of [new SessionManager({ storage }), copies])
    for await (const info of sessions.listAll()) found.push(info)
  return found
}

const SESSIONS: readonly [string, (object | string)[], Facts][] = [
  [
    "a prompt that begins with a tag which is not closed",
    [user("u", null, "<div> is broken"), reply("a", "u", [text("Which?")])],
    { firstMessage: "<div> is broken", status: "complete" },
  ],
  [
    "a command alone, with its arguments",
    [command("u", null, "/greet", "Ada"), reply("a", "u", [text("Hello")])],
    { firstMessage: "/greet Ada", status: "complete" },
  ],
  [
    "a command, and what was typed behind it",
    [command("c", null, "/clear"), stdout("o", "c"), user("u", "o", "Plan it"), reply("a", "u", [text("Yes")])],
    { firstMessage: "Plan it", status: "complete" },
  ],
  [
    "a command with arguments whose text the model got, and what was typed behind it",
    [
      command("c", null, "/deep-review", "the parser"),
      user("m", "c", "Review the parser in depth.", { isMeta: true }),
      reply("a", "m", [text("Fine")]),
      user("u", "a", "Thanks"),
    ],
    { firstMessage: "/deep-review the parser", status: "pending" },
  ],
  [
    "a line for the shell",
    [user("u", null, "<bash-input>npm test</bash-input>"), user("o", "u", "<bash-stdout>ok</bash-stdout>")],
    { firstMessage: "! npm test", status: "unknown" },
  ],
  [
    "words of teammates and channels",
    [
      user("t", null, '<teammate-message teammate_id="lead">Go</teammate-message>'),
      user("n", "t", '<channel source="x">ping</channel>'),
      user("u", "n", "Mine"),
    ],
    { firstMessage: "Mine", status: "pending" },
  ],
  [
    "a prompt that begins with a tag without content, which no client writes",
    [user("n", null, "<note>Of the client</note>"), user("u", "n", "<br/> or a line end?")],
    { firstMessage: "<br/> or a line end?", status: "pending" },
  ],
  [
    "a reply of several lines, with a result between them, at the end",
    [
      user("u", null, "Hi"),
      reply("a", "u", [call("k")], { id: "m" }),
      result("r", "a", "k"),
      reply("b", "a", [text("Yes")], { id: "m" }),
    ],
    { firstMessage: "Hi", status: "interrupted" },
  ],
  [
    "an answer in the form that a program asked for",
    [user("u", null, "Hi"), reply("a", "u", [call("k", "StructuredOutput")]), result("r", "a", "k")],
    { firstMessage: "Hi", status: "complete" },
  ],
  [
    "a prompt that waits at the end, behind a result",
    [
      user("u", null, "Hi"),
      reply("a", "u", [call("k")]),
      result("r", "a", "k"),
      line("attachment", "q", "r", { attachment: { type: "queued_command", prompt: "And this" } }),
    ],
    { firstMessage: "Hi", status: "pending" },
  ],
  [
    "a prompt beside what an editor adds",
    [
      user("u", null, [text("<ide_selection>x</ide_selection>"), text("Explain this")]),
      reply("a", "u", [text("It is")]),
    ],
    { firstMessage: "Explain this", status: "complete" },
  ],
  ...[
    ["what an editor adds", "<ide_opened_file>The user opened a.ts.</ide_opened_file>\nExplain this"],
    ["a reminder", "<system-reminder>\nBe brief.\n</system-reminder>\nExplain this"],
    ["the marks of what was pasted", '<pasted_content id="0a1b">\nExplain this\n</pasted_content id="0a1b">'],
  ].map(([what, prompt]): (typeof SESSIONS)[number] => [
    `a prompt in one text with ${what}`,
    [user("u", null, prompt), reply("a", "u", [text("It is")]), user("v", "a", "More")],
    { firstMessage: "Explain this", status: "pending" },
  ]),
  [
    "a program that asks",
    [user("u", null, "Hi", { entrypoint: "sdk-ts" }), reply("a", "u", [text("Yes")])],
    { firstMessage: "Hi", status: "complete", kind: "sdk" },
  ],
  [
    "a program that goes on after a person",
    [
      user("u", null, "Hi", { entrypoint: "cli" }),
      reply("a", "u", [text("Yes")]),
      user("v", "a", "More", { entrypoint: "sdk-ts" }),
    ],
    { firstMessage: "Hi", status: "pending" },
  ],
  [
    "a daemon",
    [user("u", null, "Hi", { sessionKind: "daemon" })],
    { firstMessage: "Hi", status: "pending", kind: "sdk" },
  ],
  [
    "nothing said",
    [{ type: "mode", mode: "normal", timestamp: "2026-02-10T09:00:00.000Z", cwd: "/home/ada/shop" }],
    { firstMessage: "", status: "unknown", kind: "empty" },
  ],
  [
    "/exit at the end",
    [user("u", null, "Hi"), reply("a", "u", [text("Yes")]), command("c", "a", "/exit"), stdout("o", "c")],
    { firstMessage: "Hi", status: "complete" },
  ],
  [
    "/exit before a reply",
    [user("u", null, "Hi"), command("c", "u", "/exit"), stdout("o", "c")],
    { firstMessage: "Hi", status: "aborted" },
  ],
  [
    "/exit before a reply, as a line of the system",
    [
      user("u", null, "Hi"),
      system("c", "u", "local_command", { content: "<command-name>/exit</command-name>" }),
      system("o", "c", "local_command", { content: "<local-command-stdout>Bye!</local-command-stdout>" }),
    ],
    { firstMessage: "Hi", status: "aborted" },
  ],
  [
    "an interruption of a reply, and /exit",
    [
      user("u", null, "Hi"),
      reply("a", "u", [text("Once")]),
      user("i", "a", [text("[Request interrupted by user]")]),
      command("c", "i", "/exit"),
      stdout("o", "c"),
    ],
    { firstMessage: "Hi", status: "aborted" },
  ],
  [
    "an interruption of a call",
    [
      user("u", null, "Run"),
      reply("a", "u", [call("k")]),
      result("r", "a", "k"),
      user("i", "r", [text("[Request interrupted by user for tool use]")]),
    ],
    { firstMessage: "Run", status: "aborted" },
  ],
  [
    "a title between its ends",
    [
      user("u", null, "Hi"),
      long("a", "u"),
      { type: "custom-title", customTitle: "Mine" },
      { type: "summary", summary: "Other", leafUuid: "gone" },
      long("b", "a"),
    ],
    { firstMessage: "Hi", status: "complete", name: "Mine" },
  ],
  [
    "a title in other spacing, and one that is glued to another line, between its ends",
    [
      user("u", null, "Hi"),
      long("a", "u"),
      '{"sessionId": "s1", "type": "custom-title", "customTitle": "First"}',
      `{"type":"mode","mode":"plan"}{"type":"custom-title","customTitle":"Mine"}`,
      long("b", "a"),
    ],
    { firstMessage: "Hi", status: "complete", name: "Mine" },
  ],
  [
    "a summary of a line between its ends",
    [
      { type: "summary", summary: "Of b", leafUuid: "b" },
      user("u", null, "Hi"),
      long("a", "u"),
      long("b", "a"),
      long("c", "b"),
    ],
    { firstMessage: "Hi", status: "complete", name: "Of b" },
  ],
  [
    "a summary that is an error",
    [
      { type: "summary", summary: "Own", leafUuid: "u" },
      user("u", null, "Hi"),
      reply("a", "u", [text("Yes")]),
      { type: "summary", summary: 'API Error: 400 {"type":"error"}', leafUuid: "a" },
    ],
    { firstMessage: "Hi", status: "complete", name: "Own" },
  ],
  [
    "a summary of talk about errors",
    [
      user("u", null, "Hi"),
      reply("a", "u", [text("Yes")]),
      { type: "summary", summary: "API Error Handling in the Shop", leafUuid: "a" },
    ],
    { firstMessage: "Hi", status: "complete", name: "API Error Handling in the Shop" },
  ],
  [
    "a first prompt between its ends",
    [
      user("m", null, "x".repeat(90_000), { isMeta: true }),
      user("u", "m", "Hi"),
      long("a", "u"),
      user("v", "a", "Later"),
    ],
    { firstMessage: "Hi", status: "pending" },
  ],
]

describe("A session of Claude Code and its copy are listed alike", () => {
  it.each(SESSIONS)("with %s", async (_, lines, facts) => {
    const [source, copy] = await listed(...lines)
    const alike = { ...facts, modified: source?.modified }
    expect([source, copy]).toMatchObject([alike, alike])
  })
})

describe("A list of sessions of Claude Code", () => {
  it("says that it does not know how one ended whose last messages are too far from the end, and takes the time of its file", async () => {
    const { pathOf, storage } = await folderOfTest()
    const path = pathOf(ID, CWD)
    const lines = [user("u", null, "Hi"), { type: "progress", data: "x".repeat(9 * 1024 * 1024) }]
    await mkdir(dirname(path), { recursive: true })
    await writeFile(path, lines.map((line) => `${JSON.stringify(line)}\n`).join(""))
    await utimes(path, 0, Date.parse("2026-11-20T09:00:00.000Z") / 1000)
    for await (const info of new SessionManager({ storage }).listAll())
      expect(info).toMatchObject({
        firstMessage: "Hi",
        status: "unknown",
        modified: Date.parse("2026-11-20T09:00:00.000Z"),
      })
    expect.assertions(1)
  })

  it("marks those of an SDK, and puts files without a message last; the newest is one that a person had", async () => {
    const { pathOf, storage } = await folderOfTest()
    const files: Record<string, object[]> = {
      a: [user("u", null, "By hand", { entrypoint: "cli" })],
      b: [user("v", null, "By a program", { entrypoint: "sdk-py" })],
      c: [{ type: "summary", summary: "Of another", leafUuid: "x" }],
      d: [{ type: "mode", mode: "normal", timestamp: "2030-01-01T00:00:00.000Z" }],
    }
    await mkdir(dirname(pathOf("a", CWD)), { recursive: true })
    for (const [id, lines] of Object.entries(files))
      await writeFile(pathOf(id, CWD), lines.map((line) => `${JSON.stringify(line)}\n`).join(""))
    const sessions = new SessionManager({ storage })
    const found: (string | undefined)[][] = []
    for await (const { id, kind } of sessions.listAll({ order: "newest" })) found.push([id, kind])
    expect(found.slice(0, 2)).toEqual([
      ["b", "sdk"],
      ["a", undefined],
    ])
    expect(found.slice(2).map(([, kind]) => kind)).toEqual(["empty", "empty"])
    expect((await sessions.open("@last", { access: "read" })).getSessionId()).toBe("a")
  })

  it("marks those that were archived, until the next prompt, in lists and when they are opened", async () => {
    const { pathOf, storage } = await folderOfTest()
    const at = (time: string) => ({ timestamp: `2026-11-20T${time}:00.000Z` })
    const [first, answer] = [user("u", null, "Hi", at("09:00")), reply("a", "u", [text("Hello")], at("11:00"))]
    const files: Record<string, [object[], object]> = {
      archived: [[first, answer], { archived: true, at: "2026-11-20T10:00:00.000Z", by: "sdk" }],
      again: [[first, answer, user("v", "a", "More", at("11:30"))], { archived: true, at: "2026-11-20T10:00:00.000Z" }],
      taken: [[first, answer], { archived: false, at: "2026-11-20T10:00:00.000Z" }],
    }
    for (const [id, [lines, mark]] of Object.entries(files)) {
      const path = pathOf(id, CWD)
      await mkdir(path.replace(/\.jsonl$/, ""), { recursive: true })
      await writeFile(path, lines.map((line) => `${JSON.stringify(line)}\n`).join(""))
      await writeFile(path.replace(/\.jsonl$/, "/archived.json"), JSON.stringify(mark))
    }
    const sessions = new SessionManager({ storage })
    const kinds = async () => {
      const found: Record<string, string | undefined> = {}
      for await (const { id, kind } of sessions.listAll()) found[id] = kind
      return found
    }
    expect(await kinds()).toEqual({ archived: "archived", again: undefined, taken: undefined })
    const headers = Object.keys(files).map(async (id) => {
      const source = (await sessions.open(pathOf(id, CWD), { access: "read" })).getHeader().source as object
      return "archived" in source
    })
    expect(await Promise.all(headers)).toEqual([true, false, false])
    await writeFile(pathOf("taken", CWD).replace(/\.jsonl$/, "/archived.json"), JSON.stringify(files.archived?.[1]))
    expect(await kinds()).toMatchObject({ taken: "archived" })
  })

  it("name it by what is noted beside the file, unless its last 64 KB have a title that a person gave it", async () => {
    const { pathOf, storage } = await folderOfTest()
    const sessions = new SessionManager({ storage })
    const path = pathOf("a", CWD)
    const note = path.replace(/\.jsonl$/, "/custom-title.json")
    await mkdir(dirname(note), { recursive: true })
    const say = async (...lines: object[]) => {
      for (const line of lines) await appendFile(path, `${JSON.stringify(line)}\n`)
    }
    const names = async () => {
      const opened = await sessions.open(path, { access: "read" })
      for await (const { name } of sessions.listAll()) return [name, opened.getSessionName()]
      return []
    }
    await say(user("u", null, "Hi"), reply("a", "u", [text("Hello")]), { type: "ai-title", aiTitle: "By a model" })
    expect(await names()).toEqual(["By a model", "By a model"])
    await writeFile(note, JSON.stringify({ customTitle: "Noted", by: "host", at: "2026-11-20T10:00:00.000Z" }))
    expect(await names()).toEqual(["Noted", "Noted"])
    await say({ type: "custom-title", customTitle: "Typed" })
    expect(await names()).toEqual(["Typed", "Typed"])
    await say(user("v", "a", "x".repeat(70_000)), reply("b", "v", [text("Long")]))
    expect(await names()).toEqual(["Noted", "Noted"])
    await say({ type: "custom-title", customTitle: "Typed again" })
    expect(await names()).toEqual(["Typed again", "Typed again"])
    await say(user("w", "b", "x".repeat(70_000)), reply("c", "w", [text("Long")]))
    for (const damaged of ['{"customTitle": "No', '{"customTitle": 7}', '{"customTitle": " "}', "[]"]) {
      await writeFile(note, damaged)
      expect(await names()).toEqual(["Typed again", "Typed again"])
    }
    await rm(note)
    expect(await names()).toEqual(["Typed again", "Typed again"])
  })
})
