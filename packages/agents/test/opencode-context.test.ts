import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { openAgentStorage } from "@treelog/agents/kit"
import { loadDriver } from "@treelog/index-sqlite"
import { SessionManager } from "@treelog/session-core"
import { MemorySessionIndex } from "@treelog/session-core/search"
import type { SqliteDatabase } from "@treelog-internal/sqlite"
import { expect, onTestFinished, test } from "vitest"
import { opencode as agent, kilo } from "./door.js"
import {
  addMessage,
  addSecondMessage,
  addSecondSession,
  addSession,
  REPLY,
  SECOND_REPLY,
  START,
  text,
  USER,
  withOpencode,
} from "./opencode-database.js"

/** A database of opencode with what is added to it. */
async function opencode(add: (db: SqliteDatabase) => void) {
  const dir = await mkdtemp(join(tmpdir(), "treelog-opencode-"))
  onTestFinished(() => rm(dir, { recursive: true }))
  await withOpencode(dir, add)
  const storage = openAgentStorage(agent, { dir, cacheDir: null, env: {}, loadDriver })
  const sessions = new SessionManager({ storage })
  const keyOf = (id: string): string => join(dir, "opencode.db", id)
  const contextOf = async (id: string) => (await sessions.readContext(keyOf(id))).messages
  const usage = async () => {
    const index = new MemorySessionIndex(storage)
    await index.update()
    return index.usage({})
  }
  return { storage, sessions, keyOf, contextOf, usage }
}

const tool = (callID: string, state: object) => ({ type: "tool", tool: "bash", callID, state })

test("each call has a result with what the model got: an output, an error, that it was cleared or interrupted", async () => {
  const { contextOf } = await opencode((db) => {
    addSession(db, "a", 0)
    addMessage(db, "a", 1, USER, [text("Go")])
    const done = { status: "completed", input: { command: "ls" }, output: "one", time: { end: 1 } }
    addMessage(db, "a", 2, { ...REPLY, finish: "tool-calls" }, [
      tool("1", done),
      tool("2", { status: "error", input: {}, error: "No such file" }),
      tool("3", { ...done, time: { end: 1, compacted: 2 } }),
      tool("4", { status: "running", input: {} }),
    ])
  })
  const results = (await contextOf("a")).filter(({ role }) => role === "toolResult") as {
    isError: boolean
    content: object
  }[]
  expect(results.map(({ isError, content }) => [isError, content])).toEqual([
    [false, [text("one")]],
    [true, [text("No such file")]],
    [false, [text("[Old tool result content cleared]")]],
    [true, [text("[Tool execution was interrupted]")]],
  ])
})

test("what a fork copied counts where it was said, and the fork names its origin", async () => {
  const { sessions, keyOf, usage } = await opencode((db) => {
    for (const [id, at] of [
      ["a", 0],
      ["fork", 10],
    ] as const) {
      addSession(db, id, at)
      addMessage(db, id, at + 1, { ...USER, created: Date.parse("2026-11-25T10:00:01.000Z") }, [text("One")])
      addMessage(db, id, at + 2, { ...REPLY, created: Date.parse("2026-11-25T10:00:02.000Z") }, [text("Answer")])
    }
  })
  const fork = await sessions.open(keyOf("fork"), { access: "read" })
  expect(fork.getHeader().parentSession).toBe("a")
  await fork.close()
  expect(await usage()).toMatchObject([{ totals: { calls: 1, input: 10, output: 7, reasoning: 2, cost: 0.25 } }])
})

test("messages that were taken back are behind the leaf", async () => {
  const { contextOf } = await opencode((db) => {
    addSession(db, "a", 0, { revert: JSON.stringify({ messageID: "msg_0003" }) })
    addMessage(db, "a", 1, USER, [text("Kept")])
    addMessage(db, "a", 2, REPLY, [text("Answer")])
    addMessage(db, "a", 3, USER, [text("Taken back")])
    addMessage(db, "a", 4, REPLY, [text("Gone")])
  })
  expect(await contextOf("a")).toMatchObject([{ content: [text("Kept")] }, { content: [text("Answer")] }])
})

test.each([
  ["a part", text("Taken back")],
  ["the end", { type: "step-finish", reason: "stop" }],
])("of a reply of which %s was taken back, what stands before it is in the context", async (_, taken) => {
  const { contextOf, usage } = await opencode((db) => {
    addSession(db, "a", 0, { revert: JSON.stringify({ messageID: "msg_0002", partID: "prt_msg_0002_1" }) })
    addMessage(db, "a", 1, USER, [text("Go")])
    addMessage(db, "a", 2, REPLY, [text("Kept"), taken])
    addMessage(db, "a", 3, USER, [text("Gone")])
  })
  expect(await contextOf("a")).toMatchObject([{ content: [text("Go")] }, { content: [text("Kept")] }])
  expect(await usage()).toMatchObject([{ totals: { calls: 1, cost: 0.25 } }])
})

test("a session whose first message was taken back has an empty context", async () => {
  const { contextOf, storage, keyOf } = await opencode((db) => {
    addSession(db, "a", 0, { revert: JSON.stringify({ messageID: "msg_0001" }) })
    addMessage(db, "a", 1, USER, [text("Gone")])
    addMessage(db, "a", 2, REPLY, [text("Answer")])
  })
  expect(await contextOf("a")).toEqual([])
  expect((await storage.report(keyOf("a"))).diagnostics).toEqual([])
})

test("what a fork copied of a fork that was deleted counts in it, and what forks made at once copied, in one of them", async () => {
  const { usage, sessions, keyOf } = await opencode((db) => {
    const sessions = [
      ["a", 1, [2]],
      ["fork", 10, [2, 5, 11]],
      ["left", 30, [20]],
      ["right", 30, [20]],
    ] as const
    let next = 100
    for (const [id, at, replies] of sessions) {
      addSession(db, id, at)
      for (const time of replies) addMessage(db, id, next++, { ...REPLY, created: START + time * 1000 }, [text("One")])
    }
  })
  expect(await usage()).toMatchObject([{ totals: { calls: 4 } }])
  const fork = await sessions.open(keyOf("fork"), { access: "read" })
  expect(fork.getHeader().parentSession).toBe("a")
  await fork.close()
})

test("what a fork copied counts in it once its origin was deleted, in the oldest of several", async () => {
  const copy = (db: SqliteDatabase, id: string, at: number): void => {
    addMessage(db, id, at, { ...USER, created: START + 1000 }, [text("One")])
    addMessage(db, id, at + 1, { ...REPLY, created: START + 2000 }, [text("Answer")])
  }
  const { usage } = await opencode((db) => {
    addSession(db, "a", 10)
    addSession(db, "b", 20)
    copy(db, "a", 11)
    copy(db, "b", 21)
  })
  expect(await usage()).toMatchObject([{ totals: { calls: 1, output: 7, cost: 0.25 } }])
  const second = await opencode((db) => {
    addSecondSession(db, "a", 10, { fork_session_id: "gone" })
    addSecondMessage(db, "a", 1, "assistant", { ...SECOND_REPLY, content: [text("Answer")] })
  })
  expect(await second.usage()).toMatchObject([{ totals: { calls: 1, output: 7 } }])
})

test("a row that is damaged is reported and kept, with the parts of its message", async () => {
  const { storage, keyOf, contextOf } = await opencode((db) => {
    addSession(db, "a", 0)
    addMessage(db, "a", 1, USER, [text("Lost"), text("Kept")])
    addMessage(db, "a", 2, USER, [text("Part of a damaged message")])
    addMessage(db, "a", 3, USER, [text("Then")])
    db.prepare("UPDATE part SET data = '{' WHERE id = 'prt_msg_0001_0'").run()
    db.prepare("UPDATE message SET data = '{' WHERE id = 'msg_0002'").run()
  })
  const { diagnostics, kinds } = await storage.report(keyOf("a"))
  expect(diagnostics.map(({ kind, entryId }) => [kind, entryId])).toEqual([
    ["invalid-json", "prt_msg_0001_0"],
    ["invalid-json", "msg_0002"],
  ])
  expect([kinds.damaged?.kept, kinds["part:text"]]).toMatchObject([2, { converted: 2, kept: 1 }])
  expect(await contextOf("a")).toMatchObject([{ content: [text("Kept")] }, { content: [text("Then")] }])
})

/** Turns with the numbers from one to another, each a prompt and a reply. */
function addTurns(db: SqliteDatabase, from: number, to: number): void {
  for (let turn = from; turn <= to; turn++) {
    addMessage(db, "a", turn * 2, USER, [text(`Prompt ${turn}`)])
    addMessage(db, "a", turn * 2 + 1, REPLY, [text(`Reply ${turn}`)])
  }
}

function addCompaction(db: SqliteDatabase, at: number, summary: object, tail?: string): void {
  const asked = addMessage(db, "a", at, USER, [{ type: "compaction", auto: false, tail_start_id: tail }])
  addMessage(db, "a", at + 1, { ...REPLY, summary: true, parentID: asked, ...summary }, [
    { type: "reasoning", text: "Hm", metadata: { anthropic: { signature: "c2ln" } } },
    text(`Summary ${at}`),
  ])
}

const saidIn = (messages: readonly object[]) =>
  messages.map((message) => {
    const { content } = message as { content: string | { text?: string }[] }
    return typeof content === "string" ? content : content.at(-1)?.text
  })

test("a compaction is a question and its answer, before what opencode keeps and any older compaction in it", async () => {
  const { contextOf } = await opencode((db) => {
    addSession(db, "a", 0)
    addTurns(db, 1, 3)
    addCompaction(db, 8, {}, "msg_0004")
    addTurns(db, 5, 5)
    addCompaction(db, 12, {}, "msg_0006")
    addTurns(db, 7, 7)
  })
  const messages = await contextOf("a")
  const question = "What did we do so far?"
  const kept = ["Prompt 3", "Reply 3", question, "Summary 8", "Prompt 5", "Reply 5"]
  expect(saidIn(messages)).toEqual([question, "Summary 12", ...kept, "Prompt 7", "Reply 7"])
  expect(messages[1]).toMatchObject({ role: "assistant", content: [{ thinking: "Hm", thinkingSignature: "c2ln" }, {}] })
})

test("the question of a compaction that failed or never ended is a prompt, and not of one that was answered later", async () => {
  const failed = { error: { name: "ContextOverflowError", data: { message: "Too large" } }, finish: "error" }
  const said = async (isAnswered: boolean) => {
    const { contextOf } = await opencode((db) => {
      addSession(db, "a", 0)
      addTurns(db, 1, 2)
      addCompaction(db, 6, failed, "msg_0004")
      const answer = { ...REPLY, summary: true, parentID: "msg_0006" }
      if (isAnswered) addMessage(db, "a", 8, answer, [text("Summary")])
      addMessage(db, "a", 9, USER, [text("Go on")])
    })
    return saidIn(await contextOf("a"))
  }
  const question = "What did we do so far?"
  expect(await said(false)).toEqual(["Prompt 1", "Reply 1", "Prompt 2", "Reply 2", question, "Go on"])
  expect(await said(true)).toEqual([question, "Summary", "Prompt 2", "Reply 2", "Go on"])
})

test("for a model with an API for chats, texts of a reply are one, with thoughts of others, and pictures of results follow these", async () => {
  const chat = {
    ...REPLY,
    providerID: "local",
    modelID: "m",
    tokens: { input: 1, output: 1, cache: { read: 9, write: 0 } },
  }
  const picture = { mime: "image/png", url: "data:image/png;base64,AAAA" }
  const done = { status: "completed", input: {}, output: "Look:", time: { end: 1 }, attachments: [picture] }
  const contextFor = async (last: object, ...parts: readonly object[]) => {
    const { contextOf } = await opencode((db) => {
      addSession(db, "a", 0)
      addMessage(db, "a", 1, USER, [text("Go")])
      const thought = { type: "reasoning", text: "Hm", metadata: { anthropic: { signature: "c2ln" } } }
      const calls = [tool("1", done), tool("2", { ...done, attachments: [], output: "two" })]
      addMessage(db, "a", 2, REPLY, [thought, text("A"), thought, text("B"), ...calls])
      addMessage(db, "a", 3, { ...REPLY, ...last }, parts as Record<string, unknown>[])
    })
    return (await contextOf("a")).map((message) => (message as { content: object }).content)
  }
  const image = { type: "image", data: "AAAA", mimeType: "image/png" }
  const call = (id: string) => ({ type: "toolCall", id, name: "bash", arguments: {} })
  const note = text("Attached media from tool result:")
  expect(await contextFor(chat, { type: "reasoning", text: "Own" }, text("End"))).toEqual([
    [text("Go")],
    [text("HmAHmB"), call("1"), call("2")],
    [text("Look:")],
    [text("two")],
    [note, image],
    [{ type: "thinking", thinking: "Own" }, text("End")],
  ])
  const separate = [{ type: "thinking" }, text("A"), { type: "thinking" }, text("B"), {}, {}]
  const signed = { ...text("End"), metadata: { openai: { itemId: "msg_1" } } }
  expect(await contextFor(chat, signed)).toMatchObject([{}, separate, [text("Look:"), image], [text("two")], {}])
  expect(await contextFor({}, text("End"))).toMatchObject([{}, separate, [text("Look:"), image], [text("two")], {}])
  // So calls are marked that treelog has copied.
  const copied = { ...tool("3", { ...done, attachments: [] }), metadata: { treelog: {} } }
  expect((await contextFor(chat, copied))[2]).toEqual([text("Look:"), image])
})

test("a sub-agent is a part of the session that nobody started, counted with it, and listed alone where that is gone", async () => {
  const add = (db: SqliteDatabase, hasParent: boolean): void => {
    if (hasParent) addSession(db, "a", 0)
    addSession(db, "b", 1, { parent_id: "a" })
    addSession(db, "c", 2, { parent_id: "b" })
    addMessage(db, "c", 3, USER, [text("Find it")])
  }
  const parts = async (hasParent: boolean) => {
    const { sessions, storage, keyOf } = await opencode((db) => add(db, hasParent))
    const listed: string[] = []
    for await (const { id } of sessions.listAll()) listed.push(id)
    const names: string[] = []
    for await (const { part } of storage.parts(keyOf(hasParent ? "a" : "b"))) names.push(part?.name ?? "")
    return [listed, names]
  }
  expect(await parts(true)).toEqual([["a"], ["b.jsonl", "c.jsonl"]])
  expect(await parts(false)).toEqual([["b"], ["c.jsonl"]])
})

test("a database that is none is an error in the list, and no session", async () => {
  const dir = await mkdtemp(join(tmpdir(), "treelog-opencode-"))
  onTestFinished(() => rm(dir, { recursive: true }))
  const { writeFile } = await import("node:fs/promises")
  await writeFile(join(dir, "opencode.db"), "nonsense".repeat(1000))
  const sessions = new SessionManager({
    storage: openAgentStorage(agent, { dir, cacheDir: null, env: {}, loadDriver }),
  })
  const errors: unknown[] = []
  for await (const { error } of sessions.listAll()) errors.push(error?.code)
  expect(errors).toEqual(["StorageError"])
})

test("a session of opencode 2 is read once: of those of 1 only what is not copied yet, and once all were, what 1 made later", async () => {
  const listed = async (phase: string) => {
    const { storage, usage } = await opencode((db) => {
      for (const id of ["both", "first"]) addSession(db, id, 0)
      addSession(db, "later", 20)
      addMessage(db, "later", 21, REPLY, [text("Since")])
      addMessage(db, "both", 1, USER, [text("Before")])
      addSecondSession(db, "both", 0)
      addSecondMessage(db, "both", 1, "user", { text: "Copied" })
      const at = START + 10_000
      db.prepare("INSERT INTO kv VALUES ('migration.v1-v2', ?, ?, ?)").run(JSON.stringify({ phase }), at, at)
    })
    const ids: (string | undefined)[] = []
    for await (const { id } of storage.list()) ids.push(id)
    return [ids, (await usage())[0]?.totals.calls]
  }
  expect(await listed("sessions")).toEqual([["first", "later", "both"], 1])
  expect(await listed("completed")).toEqual([["later", "both"], 1])
})

test("what opencode 2 did not copy of a session of 1 counts: a summary, whose prompt it made the compaction", async () => {
  const { usage, contextOf } = await opencode((db) => {
    addSession(db, "a", 0)
    const summary = { ...REPLY, summary: true, parentID: "msg_0003" }
    for (const [at, message] of [USER, REPLY, USER, summary].entries())
      addMessage(db, "a", at + 1, message, [text("One")])
    addSecondSession(db, "a", 0)
    addSecondMessage(db, "a", 1, "user", { text: "One" })
    addSecondMessage(db, "a", 2, "assistant", { ...SECOND_REPLY, content: [text("One")] })
    addSecondMessage(db, "a", 3, "compaction", { status: "completed", summary: "One", recent: "" })
    addSecondMessage(db, "a", 30, "user", { text: "Two" })
    addMessage(db, "a", 31, REPLY, [text("Since")])
    const at = START + 10_000
    db.prepare("INSERT INTO kv VALUES ('migration.v1-v2', ?, ?, ?)").run('{"phase":"completed"}', at, at)
  })
  expect((await usage())[0]?.totals).toMatchObject({ calls: 2, input: 20, output: 14, cost: 0.5 })
  expect(await contextOf("a")).toMatchObject([{ role: "compactionSummary" }, { content: [text("Two")] }])
})

test("a fork of opencode 2 names its origin, and what it copied counts there", async () => {
  const { sessions, keyOf, usage } = await opencode((db) => {
    addSecondSession(db, "a", 0)
    addSecondSession(db, "fork", 10, { fork_session_id: "a" })
    for (const id of ["a", "fork"]) {
      addSecondMessage(db, id, 1, "user", { text: "Go" }, `msg_${id}_1`)
      addSecondMessage(db, id, 2, "assistant", { ...SECOND_REPLY, content: [text("One")] }, `msg_${id}_2`)
    }
    addSecondMessage(db, "fork", 11, "assistant", { ...SECOND_REPLY, content: [text("Two")] })
  })
  const session = await sessions.open(keyOf("fork"), { access: "read" })
  expect(session.getHeader()).toMatchObject({ parentSession: "a" })
  await session.close()
  expect((await usage())[0]?.totals).toMatchObject({ calls: 2, input: 20, output: 14, cost: 0.5 })
})

test("the model of opencode 2 gets a skill that a prompt names before it, and a command in the background once", async () => {
  const { contextOf } = await opencode((db) => {
    addSecondSession(db, "a", 0)
    addSecondMessage(db, "a", 1, "user", {
      text: "$lint it",
      skills: [{ id: "lint", text: "How to lint" }, { id: "x" }],
    })
    const shell = { command: "ls", output: { output: "one.txt" }, metadata: { background: true } }
    addSecondMessage(db, "a", 2, "shell", shell)
    addSecondMessage(db, "a", 3, "synthetic", { text: "ls ended: one.txt" })
  })
  const [prompt, ...others] = await contextOf("a")
  expect(prompt).toMatchObject({ content: [text("How to lint"), text("$lint it")], prompt: "$lint it" })
  expect(others).toMatchObject([{ content: "ls ended: one.txt" }])
})

test("what compactions of opencode 2 used counts, also where they failed or the provider made them; `native` has signatures", async () => {
  const { usage, contextOf } = await opencode((db) => {
    addSecondSession(db, "a", 0)
    addSecondMessage(db, "a", 1, "user", { text: "Go" })
    const { model, cost, tokens } = SECOND_REPLY
    addSecondMessage(db, "a", 2, "compaction", {
      status: "completed",
      model,
      cost,
      tokens,
      summary: "All.",
      recent: "",
    })
    addSecondMessage(db, "a", 3, "compaction", { status: "failed", cost, tokens, error: { type: "x", message: "No" } })
    const made = { summary: "", recent: "", providerContext: { version: 1, messages: [] } }
    addSecondMessage(db, "a", 4, "compaction", { status: "completed", model, cost, tokens, ...made })
    const thought = { type: "reasoning", text: "Hm", native: { signature: "c2ln" } }
    addSecondMessage(db, "a", 5, "assistant", { ...SECOND_REPLY, content: [thought, text("Done")] })
  })
  expect((await usage())[0]?.totals).toMatchObject({ calls: 4, input: 40, output: 28, cost: 1 })
  const [, reply] = await contextOf("a")
  expect(reply).toMatchObject({ content: [{ thinking: "Hm", thinkingSignature: "c2ln" }, text("Done")] })
})

test("what the model of opencode 2 gets: files in texts, results, commands, the summary with the last messages; a sub-agent is a part", async () => {
  const { contextOf, sessions, keyOf } = await opencode((db) => {
    addSecondSession(db, "a", 0)
    addSecondSession(db, "child", 3, { parent_id: "a" })
    addSecondMessage(db, "child", 4, "user", { text: "Find it" })
    addSecondMessage(db, "a", 1, "user", { text: "Gone" })
    addSecondMessage(db, "a", 2, "compaction", {
      status: "completed",
      summary: "All was said.",
      recent: "[User]: Gone",
    })
    const file = { mime: "text/plain", name: "one.txt", data: Buffer.from("one").toString("base64") }
    addSecondMessage(db, "a", 5, "user", { text: "Go", files: [{ ...file, source: { type: "inline" } }] })
    const state = { status: "completed", input: { description: "Find it" }, content: [text("Found")] }
    addSecondMessage(db, "a", 6, "assistant", {
      ...{ ...SECOND_REPLY, finish: "tool-calls" },
      content: [
        { type: "reasoning", text: "Hm", state: { signature: "c2ln" } },
        { type: "tool", id: "1", name: "subagent", state: { ...state, metadata: { sessionID: "child" } } },
        {
          type: "tool",
          id: "2",
          name: "read",
          state: { status: "error", input: {}, error: { type: "x", message: "No" } },
        },
        { type: "tool", id: "3", name: "shell", state: { status: "running", input: {} } },
      ],
    })
    addSecondMessage(db, "a", 7, "shell", { command: "ls", output: { output: "one.txt" } })
  })
  const [summary, prompt, reply, ...rest] = await contextOf("a")
  expect(summary).toMatchObject({ summary: "All was said.\n\n<recent-context>\n[User]: Gone\n</recent-context>" })
  expect(prompt).toMatchObject({ prompt: "Go", content: [text("Go"), text("\n\nAttached file: one.txt\n\none")] })
  expect(reply).toMatchObject({ content: [{ thinkingSignature: "c2ln" }, { id: "1" }, { id: "2" }, { id: "3" }] })
  expect(rest).toMatchObject([
    { toolCallId: "1", isError: false, content: [text("Found")] },
    { toolCallId: "2", isError: true, content: [text('{"error":{"type":"x","message":"No"},"content":[]}')] },
    { content: "The following shell command was executed by the user:\n\nCommand:\nls\n\nOutput:\none.txt" },
  ])
  const parts: unknown[] = []
  for await (const { id, part } of sessions.storage.parts(keyOf("a"))) parts.push([id, part?.role])
  expect(parts).toEqual([["child", "subagent"]])
})

test("the preview of opencode 2 has its messages in the sessions of opencode 1: results and signatures are those that the model gets", async () => {
  const structured = { uri: "file:///home/ada/shop/one.txt", content: "one" }
  const { contextOf } = await opencode((db) => {
    addSecondSession(db, "a", 0)
    db.exec("DROP TABLE session_v2")
    addSession(db, "a", 0)
    addSecondMessage(db, "a", 1, "user", {
      text: "Go",
      files: [{ mime: "image/png", uri: "data:image/png;base64,AAAA" }],
    })
    addSecondMessage(db, "a", 2, "assistant", {
      ...{ ...SECOND_REPLY, finish: "tool-calls" },
      content: [
        { type: "reasoning", text: "Hm", providerMetadata: { anthropic: { signature: "c2ln" } } },
        { type: "tool", id: "1", name: "read", state: { status: "completed", content: [], structured } },
        { type: "tool", id: "2", name: "read", state: { status: "error", error: { message: "No" }, structured: {} } },
      ],
    })
  })
  expect(await contextOf("a")).toMatchObject([
    { content: [text("Go"), { type: "image", data: "AAAA" }] },
    { content: [{ thinkingSignature: "c2ln" }, { id: "1" }, { id: "2" }] },
    { content: [text(JSON.stringify(structured))] },
    { content: [text('{"error":{"message":"No"},"content":[],"structured":{}}')] },
  ])
})

test("a preview of opencode 2 that has no tables of 1 is read, and its forks name their origins", async () => {
  const { contextOf, sessions, keyOf, usage } = await opencode((db) => {
    addSecondSession(db, "unused", 0)
    db.exec("DROP TABLE session; DROP TABLE message; DROP TABLE part; ALTER TABLE session_v2 RENAME TO session")
    const add =
      "INSERT INTO session SELECT ?, parent_id, ?, directory, title, version, revert, time_created + ?, time_updated FROM session LIMIT 1"
    db.prepare(add).run("a", null, 1000)
    db.prepare(add).run("fork", "a", 10_000)
    for (const id of ["a", "fork"])
      addSecondMessage(db, id, 2, "assistant", { ...SECOND_REPLY, content: [text("One")] }, `msg_${id}`)
  })
  expect(await contextOf("a")).toMatchObject([{ content: [text("One")] }])
  const session = await sessions.open(keyOf("fork"), { access: "read" })
  expect(session.getHeader()).toMatchObject({ parentSession: "a" })
  await session.close()
  expect((await usage())[0]?.totals).toMatchObject({ calls: 1, cost: 0.25 })
})

test("Kilo's sessions are read from its own database", async () => {
  const dir = await mkdtemp(join(tmpdir(), "treelog-kilo-"))
  onTestFinished(() => rm(dir, { recursive: true }))
  await withOpencode(dir, (db) => addSession(db, "a", 0), "kilo.db")
  const sessions = new SessionManager({ storage: openAgentStorage(kilo, { dir, cacheDir: null, env: {}, loadDriver }) })
  const session = await sessions.open(join(dir, "kilo.db", "a"), { access: "read" })
  expect(session.getHeader()).toMatchObject({ source: { agent: "kilo" } })
  await session.close()
})

test("sessions are in the database that a variable names", async () => {
  const home = await mkdtemp(join(tmpdir(), "treelog-opencode-"))
  onTestFinished(() => rm(home, { recursive: true }))
  await withOpencode(join(home, ".local/share/opencode"), (db) => addSession(db, "a", 0), "other.db")
  const idsIn = async (OPENCODE_DB: string) => {
    const storage = openAgentStorage(agent, { cacheDir: null, env: { HOME: home, OPENCODE_DB }, loadDriver })
    const ids: (string | undefined)[] = []
    for await (const { id } of storage.list()) ids.push(id)
    return ids
  }
  expect(await idsIn("other.db")).toEqual(["a"])
  expect(await idsIn(join(home, ".local/share/opencode/other.db"))).toEqual(["a"])
  expect(await idsIn("opencode.db")).toEqual([])
})

test("reasoning of OpenAI is one thought with its item, redacted data stays, and each is text for another model", async () => {
  const openai = (text: string, itemId: string, reasoningEncryptedContent: string) => ({
    ...{ type: "reasoning", text, metadata: { openai: { itemId, reasoningEncryptedContent } } },
  })
  const { contextOf } = await opencode((db) => {
    addSession(db, "s", 1)
    addMessage(db, "s", 2, USER, [text("Go")])
    addMessage(db, "s", 3, REPLY, [
      openai("first", "rs_1", "sealed1"),
      openai("second", "rs_1", "sealed1"),
      text("A"),
      openai("", "rs_2", "sealed2"),
      { type: "reasoning", text: "", metadata: { anthropic: { redactedData: "redacted" } } },
    ])
  })
  const messages = await contextOf("s")
  const item = (id: string, encrypted_content: string, ...texts: string[]) =>
    JSON.stringify({
      ...{ type: "reasoning", id },
      ...{ summary: texts.map((text) => ({ type: "summary_text", text })), encrypted_content },
    })
  expect(messages[1]).toMatchObject({
    foreignThinking: "text",
    content: [
      { type: "thinking", thinking: "first\nsecond", thinkingSignature: item("rs_1", "sealed1", "first", "second") },
      { type: "text", text: "A" },
      { type: "thinking", thinking: "", thinkingSignature: item("rs_2", "sealed2") },
      { type: "thinking", thinking: "", thinkingSignature: "redacted", redacted: true },
    ],
  })
})

test("a reply that failed is in no context, one that was interrupted is, with what it said", async () => {
  const failed = { ...REPLY, error: { name: "APIError", data: { message: "500" } } }
  const aborted = { ...REPLY, error: { name: "MessageAbortedError", data: { message: "Aborted" } } }
  const { contextOf } = await opencode((db) => {
    addSession(db, "s", 1)
    addMessage(db, "s", 2, USER, [text("Go")])
    addMessage(db, "s", 3, failed, [text("Half"), tool("call1", { status: "completed", input: {}, output: "out" })])
    addMessage(db, "s", 4, aborted, [{ type: "step-start" }, { type: "reasoning", text: "Hm" }])
    addMessage(db, "s", 5, aborted, [text("Begun"), tool("call2", { status: "running", input: {} })])
    addMessage(db, "s", 6, USER, [text("Again")])
  })
  const said = (await contextOf("s")).map((message) => (message as { content: { text?: string }[] }).content[0]?.text)
  expect(said).toEqual(["Go", "Begun", "[Tool execution was interrupted]", "Again"])
})

test("a command of Kilo is what was typed, and its text what was sent", async () => {
  const { contextOf } = await opencode((db) => {
    addSession(db, "a", 0)
    addMessage(db, "a", 1, USER, [{ ...text("Greet Ada"), metadata: { kilo: { injected: { title: "/greet Ada" } } } }])
    addMessage(db, "a", 2, USER, [{ ...text("Otherwise"), metadata: { kilo: null } }])
  })
  const messages = await contextOf("a")
  expect(messages).toMatchObject([
    { prompt: "/greet Ada", content: [text("Greet Ada")] },
    { content: [text("Otherwise")] },
  ])
  expect(messages[1]).not.toHaveProperty("prompt")
})
