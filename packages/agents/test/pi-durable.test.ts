import { appendFileSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { openAgentStorage } from "@treelog/agents/kit"
import { agentContract } from "@treelog/agents/testing"
import { loadDriver } from "@treelog/index-sqlite"
import { describe, expect, it, test } from "vitest"
import { piDurable as agent } from "./door.js"
import { inFolder, shortly } from "./in-folder.js"
import {
  call,
  type Entry,
  inFolderOfJsonl,
  reply,
  result,
  START,
  system,
  text,
  USAGE,
  user,
  type Writer,
  withDatabase,
} from "./pi-durable-store.js"

let next = 1
/** The conversation that a key is of: each contract session is a conversation of its own. */
const conversations = new Map<string, number>()
const idOf = (key: string): string => decodeURIComponent(key.slice(key.lastIndexOf("/") + 1))

function say(to: Writer, id: string, said: string): void {
  const conversationId = conversations.get(id) as number
  to.entry({ id: next, conversationId, kind: "pi.user", model: [user(said, next++)] })
  to.entry({ id: next, conversationId, kind: "pi.assistant", model: [reply("Answer", { timestamp: START + next++ })] })
}

const LAYOUTS = {
  SQLite: {
    pathOf: (dir: string, store: string) => join(dir, "durable", `${store}.sqlite`),
    use: (path: string, write: (to: Writer) => void) => withDatabase(path, write),
    skips: {},
  },
  JSONL: {
    pathOf: (dir: string, store: string) => join(dir, "durable", store, "main.jsonl"),
    use: async (path: string, write: (to: Writer) => void) => inFolderOfJsonl(dirname(path), write),
    // A session has no file of its own into which odd values could be put: see below.
    skips: Object.fromEntries(
      [1, 2].map((part) => [
        `is an error at most, which names the damage, whatever one of its values is (${part})`,
        "several sessions in one file",
      ]),
    ),
  },
}

for (const [name, { pathOf, use, skips }] of Object.entries(LAYOUTS))
  agentContract(
    { describe, it },
    {
      name: `pi-durable in ${name}`,
      ids: ["0199-aaaa", "0199-bbbb"],
      loadDriver,
      skips,
      open: (dir, cacheDir, fs) => openAgentStorage(agent, { dir, cacheDir, env: {}, fs, loadDriver }),
      async write(dir, { id, cwd, said }) {
        // Odd values in a store may be in what all of its sessions have.
        const path = pathOf(dir, id === "0199-bbbb" ? "other" : "talk")
        const conversation = next++
        conversations.set(id, conversation)
        await use(path, (to) => {
          to.conversation({ id: conversation })
          to.document(conversation, "pi.provider", { sessionId: id })
          to.document(conversation, "pi.agent", { cwd })
          for (const one of said) say(to, id, one)
        })
        return join(path, id)
      },
      say: (_, key, said) => use(dirname(key), (to) => say(to, idOf(key), said)),
      async remove(_, key) {
        if (name === "JSONL") rmSync(dirname(dirname(key)), { recursive: true })
        else
          await withDatabase(dirname(key), (_, db) => {
            db.prepare("DELETE FROM entries WHERE conversation_id = ?").run(conversations.get(idOf(key)) as number)
          })
      },
      async addUnknown(_, key) {
        const conversationId = conversations.get(idOf(key)) as number
        await use(dirname(key), (to) => to.entry({ id: next++, conversationId, kind: "pi.hologram" }))
        return "pi.hologram"
      },
    },
  )

/** A store in each layout, with what is written to it. */
async function stores(write: (to: Writer) => void) {
  const folders = []
  for (const { pathOf, use } of Object.values(LAYOUTS)) {
    const folder = await inFolder(agent, {})
    const path = pathOf(folder.dir, "talk")
    await use(path, write)
    const key = (id: string): string => join(pathOf("", "talk"), id)
    folders.push({ ...folder, path, key, contextOf: (id: string) => folder.contextOf(key(id)) })
  }
  return folders
}

/** The entries of conversation 1 with these messages, from id 2 on. */
function talk(...entries: (object | Partial<Entry>)[]): (to: Writer) => void {
  return (to) => {
    to.conversation({ id: 1 })
    to.document(1, "pi.provider", { sessionId: "a" })
    for (const [at, entry] of entries.entries()) {
      const fields = "role" in entry ? { kind: "app.message", model: [entry] } : entry
      to.entry({ kind: "app.entry", ...fields, id: at + 2, conversationId: 1 })
    }
  }
}

test("each layout has the folder of a conversation, and two stores with the same ids are two sessions", async () => {
  for (const { dir, listed } of await stores((to) => {
    talk(user("Why?"), reply("So."))(to)
    to.document(1, "pi.agent", { cwd: "/old" })
    to.document(1, "pi.agent", { cwd: "/home/ada/shop" })
  })) {
    await withDatabase(join(dir, "durable/other.db"), (to) => {
      to.conversation({ id: 1 })
      to.entry({ id: 2, conversationId: 1, kind: "pi.user", model: [user("Hello", 60)] })
    })
    const found = (await listed()).map(({ id, cwd, firstMessage }) => [id, cwd, firstMessage]).sort()
    expect(found).toEqual([
      [`${START + 60_000}-1`, "", "Hello"],
      ["a", "/home/ada/shop", "Why?"],
    ])
  }
})

test("results stand behind their reply in the order of its calls; lost ones are added, and those of no call are left out", async () => {
  const entries = [
    user("Go"),
    reply([call("b"), call("a"), call("lost")], { stopReason: "toolUse" }),
    result("a", "of a"),
    user("Steer"),
    result("b", "of b"),
    result("zz", "of none"),
    reply("Done"),
  ]
  for (const { contextOf } of await stores(talk(...entries)))
    expect(shortly(await contextOf("a"))).toEqual([
      ...["user: Go", "assistant: ", "toolResult: of b", "toolResult: of a"],
      ...["toolResult: Tool result unavailable: history ends before this call completed."],
      ...["user: Steer", "assistant: Done"],
    ])
})

test("replies that were aborted, failed or deferred are not sent, nor are their results", async () => {
  const entries = [
    user("Go"),
    ...["aborted", "error", "deferred"].map((stopReason) => reply([text(stopReason), call("1")], { stopReason })),
    result("1", "late"),
    reply("cut", { stopReason: "length" }),
  ]
  for (const { contextOf } of await stores(talk(...entries)))
    expect(shortly(await contextOf("a"))).toEqual(["user: Go", "assistant: cut"])
})

test("a head begins the context with its messages and what it keeps, and former heads are left out", async () => {
  const words =
    "The conversation history before this point was compacted into the following summary:\n\n<summary>\nS\n</summary>"
  const entries = [
    user("Old"), // 2
    { kind: "pi.reset", head: 3, model: [user("Fresh start")] },
    reply("After"), // 4
    { kind: "pi.compaction", head: 4, model: [user(words)], data: { reason: "manual" } },
    user("Next"), // 6
  ]
  for (const { contextOf } of await stores(talk(...entries)))
    expect(shortly(await contextOf("a"))).toEqual([`compactionSummary: ${words}`, "assistant: After", "user: Next"])
  for (const { contextOf } of await stores(talk(...entries.slice(0, 3))))
    expect(await contextOf("a")).toMatchObject([
      { role: "compactionSummary", summary: "Fresh start", verbatim: true },
      { role: "assistant" },
    ])
  for (const { contextOf } of await stores(talk(user("Old"), { kind: "pi.reset", head: 3 }, user("New"))))
    expect(shortly(await contextOf("a"))).toEqual(["user: New"])
})

test("the newest edit of an entry counts: a replaced content, or nothing", async () => {
  const edit = (...edits: object[]) => ({ kind: "app.edit", edits })
  const entries = [
    user("first"),
    reply("second"),
    edit({ target: 2, action: "replace", messages: [user("v2")] }),
    edit({ target: 2, action: "replace", messages: [user("v3")] }, { target: 3, action: "omit" }),
  ]
  for (const { contextOf } of await stores(talk(...entries)))
    expect(await contextOf("a")).toMatchObject([{ role: "user", content: [text("v3")] }])
  const odd = edit({ target: 2, action: "replace", messages: [reply("other")] }, { target: 99, action: "omit" })
  for (const { contextOf, storage, dir, key } of await stores(talk(user("first"), odd))) {
    expect(await contextOf("a")).toEqual([])
    expect((await storage.report(join(dir, key("a")))).diagnostics).toMatchObject([
      { entryId: "a-3:edit1", kind: "invalid-field" },
      { entryId: "a-3:edit2", kind: "invalid-field" },
    ])
  }
})

test("the prompt of the system stands before what was said first, also behind a head, with what that keeps", async () => {
  const entries = [
    user("Hi"),
    { kind: "pi.system", model: [system({ preamble: "You help." })] }, // 3
    reply("Hello"), // 4
    { kind: "pi.system", model: [system({ cwd: "/shop" })] }, // 5
    user("On"), // 6
    { kind: "pi.compaction", head: 5, model: [user("Short")] }, // 7
  ]
  for (const { contextOf } of await stores(talk(...entries.slice(0, 4))))
    expect((await contextOf("a")).map(({ role }) => role)).toEqual(["system", "user", "assistant", "system"])
  for (const { contextOf } of await stores(talk(...entries)))
    expect(await contextOf("a")).toMatchObject([
      { role: "system", sections: { cwd: "/shop" } },
      { role: "compactionSummary", summary: "Short" },
      { role: "user", content: [text("On")] },
    ])
  const reset = [
    user("Hi"),
    { kind: "pi.reset", head: 3 },
    user("New"),
    system({ preamble: "You help." }),
    reply("Yes"),
  ]
  for (const { contextOf } of await stores(talk(...reset)))
    expect((await contextOf("a")).map(({ role }) => role)).toEqual(["system", "user", "assistant"])
})

test("a fork sees its parent up to an entry; what it copied counts there", async () => {
  const write = (to: Writer): void => {
    talk(user("One"), reply("Answer"), user("Not in the fork"))(to)
    to.conversation({ id: 10, parent: { conversationId: 1, at: 3 } })
    to.document(10, "pi.provider", { sessionId: "fork" })
    to.entry({ id: 11, conversationId: 10, kind: "pi.user", model: [user("Other", 5)] })
  }
  for (const { contextOf, sessions, dir, key, usage, listed } of await stores(write)) {
    expect((await listed()).map(({ id }) => id).sort()).toEqual(["a", "fork"])
    expect(shortly(await contextOf("fork"))).toEqual(["user: One", "assistant: Answer", "user: Other"])
    const fork = await sessions.open(join(dir, key("fork")), { access: "read" })
    expect(fork.getHeader().parentSession).toBe("a")
    await fork.close()
    expect(await usage()).toMatchObject({ calls: 1, input: 10, cost: 0.25 })
  }
})

test("a conversation that a task started is a part behind the result of its call; nested ones are parts of the outermost", async () => {
  const write = (to: Writer): void => {
    talk(user("Go"), reply([call("c")], { stopReason: "toolUse" }))(to)
    for (const [id, of, task] of [
      [20, 1, 90],
      [30, 20, 91],
    ] as const) {
      to.conversation({ id, owner: { conversationId: of, taskId: task } })
      to.document(id, "pi.provider", { sessionId: `child-${id}` })
      to.entry({ id: id + 1, conversationId: id, kind: "pi.assistant", model: [reply("Found")] })
    }
    to.entry({ id: 40, conversationId: 1, kind: "pi.tool-result", byTaskId: 90, model: [result("c", "Found")] })
  }
  for (const { sessions, dir, key, usage, listed, copiedParts } of await stores(write)) {
    expect((await listed()).map(({ id }) => id)).toEqual(["a"])
    expect((await copiedParts(key("a"))).sort()).toEqual(["child-20.jsonl", "child-30.jsonl", "source.jsonl.gz"])
    expect(await usage()).toMatchObject({ calls: 3, input: 30 })
    const session = await sessions.open(join(dir, key("a")), { access: "read" })
    const data = { name: "child-20.jsonl", role: "subagent", call: "c" }
    expect(session.getEntries()).toContainEqual(expect.objectContaining({ customType: "treelog.part", data }))
    await session.close()
  }
})

test("calls that summarized count, which no entry has", async () => {
  const twice = { ...USAGE, input: 25, output: 9, cost: { ...USAGE.cost, total: 0.35 } }
  for (const { usage } of await stores((to) => {
    talk(user("Go"), reply("Answer"))(to)
    to.document(1, "pi.usage", { models: { "anthropic/claude-sonnet-5": twice }, tools: {} })
  })) {
    expect(await usage()).toMatchObject({ input: 25, output: 9, cacheRead: 100 })
    expect((await usage())?.cost).toBeCloseTo(0.35)
  }
})

test("entries without messages are kept, and entries of a program's own kinds are messages where they have some", async () => {
  for (const { sessions, dir, key, contextOf } of await stores(
    talk(
      { kind: "app.note", data: { text: "seen" } },
      { kind: "app.mail", model: [user("Mail")], data: { from: "eve" } },
    ),
  )) {
    expect(await contextOf("a")).toMatchObject([{ role: "user", content: [text("Mail")] }])
    const session = await sessions.open(join(dir, key("a")), { access: "read" })
    expect(session.getEntries()).toMatchObject([
      { customType: "pi-durable.app.note", data: { data: { text: "seen" } } },
      { message: { content: [text("Mail")] } },
      { customType: "pi-durable.app.mail", data: { from: "eve" } },
    ])
    await session.close()
  }
})

test("a commit whose line is torn is not there yet", async () => {
  const folder = await inFolder(agent, {})
  const store = join(folder.dir, "durable/talk")
  inFolderOfJsonl(store, talk(user("Go")))
  appendFileSync(join(store, "main.jsonl"), '{"format":1,"type":"commit","seq":999999,"writes":[{"type":"ent')
  expect(await folder.listed()).toMatchObject([{ id: "a", firstMessage: "Go" }])
  expect(shortly(await folder.contextOf("durable/talk/main.jsonl/a"))).toEqual(["user: Go"])
})

test("whatever one value in JSONL is, the other stores are listed and read, and what is wrong has a name", async () => {
  const folder = await inFolder(agent, {})
  const at = (name: string): string => join(folder.dir, "durable", name)
  inFolderOfJsonl(at("other"), (to) => {
    to.conversation({ id: 1 })
    to.document(1, "pi.provider", { sessionId: "other" })
    to.entry({ id: 2, conversationId: 1, kind: "pi.user", model: [user("Go")] })
  })
  inFolderOfJsonl(at("talk"), (to) => {
    const talked = [
      user("Go"),
      reply([call("c")]),
      result("c", "Done"),
      { kind: "pi.compaction", head: 3, model: [user("S")] },
    ]
    talk(...talked, { kind: "app.edit", edits: [{ target: 2, action: "omit" }] })(to)
    to.document(1, "pi.agent", { cwd: "/shop" })
  })
  for (const file of ["main.jsonl", "doc-1011.jsonl", "doc-1008.jsonl"]) {
    const path = join(at("talk"), file)
    const whole = readFileSync(path, "utf8")
    // Each value in turn, and each kind of odd value by turns.
    const values = [...whole.matchAll(/:("[^"]*"|\d+|\[|\{)/g)]
    for (const [index, { 0: match, index: start = 0 }] of values.entries()) {
      const end = /[[{]$/.test(match) ? closing(whole, start + match.length) : start + match.length
      const odd = ["null", "-1", '""', "[]", "{}", "1e999", '{"toString":1}', "[null]", "9e15"][index % 9]
      writeFileSync(path, `${whole.slice(0, start)}:${odd}${whole.slice(end)}`)
      const found = []
      for await (const info of folder.sessions.listAll()) {
        found.push(info.error ? info.error.code : info.id)
        if (info.error) continue
        await folder.sessions.readContext(info.path).catch((error) => expect(error.code).toBe("InvalidSessionError"))
      }
      expect([file, match, odd, found]).toEqual([file, match, odd, expect.arrayContaining(["other"])])
    }
    writeFileSync(path, whole)
  }
})

/** The end of the list or object that begins before a place. */
function closing(json: string, from: number): number {
  let [depth, at] = [1, from]
  for (; depth > 0; at++) depth += "[{".includes(json[at] as string) ? 1 : "]}".includes(json[at] as string) ? -1 : 0
  return at
}

test("tables of another version are named, and a damaged entry is kept beside the others", async () => {
  const { dir, sessions, contextOf, storage } = await inFolder(agent, {})
  const path = join(dir, "durable/talk.sqlite")
  await withDatabase(path, (to, db) => {
    talk(user("Go"), user("On"))(to)
    db.exec("UPDATE entries SET record = '{\"id\":2,' WHERE id = 2")
  })
  expect(await contextOf("durable/talk.sqlite/a")).toMatchObject([{ content: [text("On")] }])
  expect((await storage.report(join(path, "a"))).diagnostics).toMatchObject([{ kind: "invalid-json" }])
  await withDatabase(path, (_, db) => db.exec("UPDATE durable_schema SET version = 2"))
  const errors = []
  for await (const { error } of sessions.listAll()) errors.push(error?.message)
  expect(errors).toEqual([expect.stringMatching(/version 2 of pi-durable/)])
})

test("entries of two stores with the same number and time are no copies of each other", async () => {
  const { dir, usage } = await inFolder(agent, {})
  for (const name of ["one", "two"])
    inFolderOfJsonl(join(dir, "durable", name), (to) => {
      to.conversation({ id: 1 })
      to.document(1, "pi.provider", { sessionId: name })
      to.entry({ id: 2, conversationId: 1, kind: "pi.assistant", model: [reply("Answer")] })
    })
  expect(await usage()).toMatchObject({ calls: 2, input: 20 })
})

test("a store may be a file that a variable names", async () => {
  const { dir } = await inFolder(agent, {})
  await withDatabase(join(dir, "my.sqlite"), talk(user("Go")))
  inFolderOfJsonl(join(dir, "my-store"), talk(user("Go")))
  for (const name of ["my.sqlite", "my-store"]) {
    const storage = openAgentStorage(agent, { env: { PI_DURABLE_STORE: join(dir, name) }, cacheDir: null, loadDriver })
    const ids = []
    for await (const { id } of storage.list()) ids.push(id)
    expect(ids).toEqual(["a"])
  }
})
