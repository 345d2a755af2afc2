import { mkdir, mkdtemp, rm, utimes, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { openAgentStorage } from "@treelog/agents/kit"
import { loadDriver } from "@treelog/index-sqlite"
import { SessionManager } from "@treelog/session-core"
import { toAnthropicMessages } from "@treelog/session-core/messages"
import type { SqliteDatabase } from "@treelog-internal/sqlite"
import { expect, onTestFinished, test } from "vitest"
import { openclaw as agent } from "./door.js"
import {
  ARCHIVES,
  addSession,
  databaseOf,
  event,
  headerOf,
  said,
  withOpenclaw,
  zstdFrame,
} from "./openclaw-database.js"

/** A database of OpenClaw with what is added to it. */
async function openclaw(add: (db: SqliteDatabase) => void) {
  const dir = await mkdtemp(join(tmpdir(), "treelog-openclaw-"))
  onTestFinished(() => rm(dir, { recursive: true }))
  await withOpenclaw(dir, add)
  const storage = openAgentStorage(agent, { dir, cacheDir: null, env: {}, loadDriver })
  const sessions = new SessionManager({ storage })
  const keyOf = (id: string): string => join(databaseOf(dir), id)
  const saidIn = async (key: string) =>
    (await sessions.readContext(key)).messages.map((message) => ("content" in message ? message.content : ""))
  const listed = async () => {
    const all: unknown[] = []
    for await (const { id, part } of storage.list({ parts: true })) all.push(part ? [id, part.of] : id)
    return all
  }
  return { dir, keyOf, saidIn, listed, sessions, storage }
}

const user = (parent: string | null, text: string, more = {}) => ({
  ...event("message", parent, said("user", text)),
  ...more,
})

test("a reset ends what came before, or keeps the last messages; what names an event from before it goes on behind it", async () => {
  const { keyOf, saidIn } = await openclaw((db) => {
    for (const [id, keeps] of [
      ["all", false],
      ["last", true],
    ] as const) {
      const [one, two] = [user(null, "One"), user(null, "Two")]
      const reset = event("reset", two.id, { reason: "reset", ...(keeps && { firstKeptEntryId: two.id }) })
      const back = event("leaf", reset.id, { targetId: one.id })
      addSession(db, id, [one, { ...two, parentId: one.id }, reset, back, user(one.id, "Three")])
    }
  })
  expect(await saidIn(keyOf("all"))).toEqual(["Three"])
  expect(await saidIn(keyOf("last"))).toEqual(["Two", "Three"])
})

test("a leaf event goes back, a side entry goes nowhere, and an event that nobody knows hides nothing behind it", async () => {
  const { keyOf, saidIn } = await openclaw((db) => {
    const one = user(null, "One")
    const gone = user(one.id, "Gone")
    const leaf = event("leaf", gone.id, { targetId: one.id })
    const hologram = event("hologram", leaf.id)
    const two = user(hologram.id, "Two")
    const side = user(two.id, "Aside", { appendMode: "side" })
    const { parentId: _, ...parentless } = user(null, "Three")
    addSession(db, "a", [one, gone, leaf, hologram, two, side, parentless])
  })
  expect(await saidIn(keyOf("a"))).toEqual(["One", "Two", "Three"])
})

test("contents that are texts become blocks, and a message that the model does not get is in the session alone", async () => {
  const { keyOf, saidIn, sessions } = await openclaw((db) => {
    const reply = event("message", null, said("assistant", "Yes"))
    const hidden = event("message", reply.id, said("user", "Hidden", { excludeFromContext: true }))
    const result = event(
      "message",
      hidden.id,
      said("toolResult", "1", { toolCallId: "1", toolName: "exec", isError: false }),
    )
    addSession(db, "a", [reply, hidden, result])
  })
  expect(await saidIn(keyOf("a"))).toEqual([[{ type: "text", text: "Yes" }], [{ type: "text", text: "1" }]])
  const session = await sessions.open(keyOf("a"), { access: "read" })
  expect(session.getEntries().filter(({ type }) => type === "message")).toHaveLength(3)
  await session.close()
})

test("compressed events, cold archives in the database and in a file, and what a reset archived are read; what was deleted is not", async () => {
  const jsonl = (id: string): string => [headerOf(id), user(null, id)].map((one) => `${JSON.stringify(one)}\n`).join("")
  const { dir, keyOf, saidIn, listed } = await openclaw((db) => {
    db.exec(ARCHIVES)
    addSession(db, "packed", [])
    const bytes = zstdFrame(JSON.stringify(user(null, "packed")))
    db.prepare("INSERT INTO transcript_events VALUES ('packed', 1, NULL, 1, ?, 9, '{}')").run(bytes)
    for (const [id, name, blob] of [
      ["cold", "a", zstdFrame(jsonl("cold"))],
      ["file", "b.jsonl.zst", null],
    ] as const) {
      addSession(db, id, [])
      db.prepare("DELETE FROM transcript_events WHERE session_id = ?").run(id)
      db.prepare("INSERT INTO session_transcript_cold_archives VALUES (?, ?, 9, 1, ?)").run(id, name, blob)
    }
    const archive = db.prepare("INSERT INTO session_transcript_archives VALUES (?, '1', ?, 'identity', ?, 1)")
    for (const [id, reason] of [
      ["ended", "reset"],
      ["gone", "deleted"],
    ] as const)
      archive.run(id, reason, Buffer.from(jsonl(id)))
  })
  await mkdir(join(dir, "agents", "main", "sessions", "cold"), { recursive: true })
  await writeFile(join(dir, "agents", "main", "sessions", "cold", "b.jsonl.zst"), zstdFrame(jsonl("file")))
  const ids = ["packed", "cold", "file", "ended"]
  expect(await listed()).toEqual(ids)
  for (const id of ids) expect(await saidIn(keyOf(id))).toEqual([id])
})

test("events that are damaged are reported and kept, and hide nothing behind them", async () => {
  const { keyOf, saidIn, storage } = await openclaw((db) => {
    addSession(db, "a", [user(null, "One")])
    const insert = db.prepare("INSERT INTO transcript_events VALUES ('a', ?, ?, 1, ?, 9, NULL)")
    insert.run(2, null, Buffer.from("nonsense"))
    insert.run(3, '{"type":"mess', null)
    const { parentId: _, ...two } = user(null, "Two")
    insert.run(4, JSON.stringify(two), null)
  })
  expect(await saidIn(keyOf("a"))).toEqual(["One", "Two"])
  const { diagnostics, kinds, lines } = await storage.report(keyOf("a"))
  expect([diagnostics.length, kinds.damaged?.kept, lines]).toEqual([2, 2, 6])
})

test("a sub-agent is a part of the session that started it, a fork is not; a file is listed that the database has not, or only older", async () => {
  const { dir, keyOf, listed, sessions } = await openclaw((db) => {
    const details = { childSessionKey: "agent:main:subagent:x" }
    const result = said("toolResult", [], { toolCallId: "1", toolName: "sessions_spawn", details })
    addSession(db, "a", [user(null, "Go"), event("message", null, result)], { key: "agent:main:main" })
    const node = { parent_session_key: "agent:main:main" }
    addSession(db, "child", [user(null, "Find it")], { key: "agent:main:subagent:x", node })
    const fork = { ...node, fork_source_session_id: "a" }
    addSession(db, "fork", [user(null, "Otherwise")], { key: "agent:main:dashboard:x", node: fork })
  })
  for (const id of ["a", "old", "a.trajectory"]) {
    await mkdir(join(dir, "agents", "main", "sessions"), { recursive: true })
    const path = join(dir, "agents", "main", "sessions", `${id}.jsonl`)
    await writeFile(path, `${JSON.stringify(headerOf(id))}\n`)
    await utimes(path, 0, 0)
  }
  expect(await listed()).toEqual(["a", ["child", keyOf("a")], "fork", "old"])
  const session = await sessions.open(keyOf("a"), { access: "read" })
  expect(session.getEntries().at(-1)).toMatchObject({
    customType: "treelog.part",
    data: { name: "child.jsonl", call: "1" },
  })
  await session.close()
})

test("replies that failed, delivered copies and silence are not sent, nor results of calls that are not", async () => {
  const text = (text: string) => [{ type: "text", text }]
  const thought = { type: "thinking", thinking: "Hm" }
  const call = { type: "toolCall", id: "1", name: "exec", arguments: {} }
  const result = (toolCallId: string, content: string) => said("toolResult", content, { toolCallId, toolName: "exec" })
  const reply = (content: object[], more = {}) => said("assistant", content, more)
  const { keyOf, saidIn } = await openclaw((db) => {
    const messages = [
      said("user", "Go"),
      reply([...text("Half of"), call], { stopReason: "aborted" }),
      result("1", "Lost"),
      reply(text("Half of"), { stopReason: "error" }),
      reply(text("[assistant turn failed before producing content]"), { stopReason: "error" }),
      reply(text("Delivered"), { provider: "openclaw", model: "delivery-mirror" }),
      reply(text("Delivered"), { openclawDeliveryMirror: { kind: "channel-final" } }),
      reply([thought, ...text("NO_REPLY")]),
      reply([thought], { stopReason: "length" }),
      reply([...text("NO_REPLY"), call]),
      result("1", "Kept"),
      reply(text("Done")),
    ]
    const events: { id: string }[] = []
    for (const message of messages) events.push(event("message", events.at(-1)?.id ?? null, message))
    addSession(db, "a", events)
  })
  const failed = expect.stringContaining("failed before it completed")
  expect(await saidIn(keyOf("a"))).toEqual(["Go", [{ type: "text", text: failed }], [call], text("Kept"), text("Done")])
})

test("another model gets the thoughts of a reply as texts", async () => {
  const thought = { type: "thinking", thinking: "Hm", thinkingSignature: "c2ln" }
  const redacted = { type: "thinking", thinking: "", thinkingSignature: "cmVk", redacted: true }
  const { keyOf, sessions } = await openclaw((db) => {
    const first = event("message", null, said("user", "Go"))
    const blocks = [redacted, thought, { type: "text", text: "Done" }]
    const of = { provider: "local", model: "local-1" }
    addSession(db, "a", [first, event("message", first.id, said("assistant", blocks, of))])
  })
  const { messages } = await sessions.readContext(keyOf("a"))
  const sentTo = (model: string) =>
    toAnthropicMessages(messages, { target: { provider: "local", model } }).messages.at(-1)?.content
  expect(sentTo("local-2")).toEqual([
    { type: "text", text: "Hm" },
    { type: "text", text: "Done" },
  ])
  expect(sentTo("local-1")).toMatchObject([{ type: "redacted_thinking" }, { type: "thinking" }, { type: "text" }])
})

test("a call that was lost has the result that the API gets, also where OpenClaw stored one", async () => {
  const call = (id: string) => [{ type: "toolCall", id, name: "exec", arguments: {} }]
  const made =
    "[openclaw] missing tool result in session history; inserted synthetic error result for transcript repair."
  const result = (toolCallId: string, content: string, more = {}) =>
    said("toolResult", content, { toolCallId, toolName: "exec", isError: true, ...more })
  const { keyOf, sessions } = await openclaw((db) => {
    const messages = [
      said("user", "Go"),
      said("assistant", call("1"), { api: "anthropic-messages" }),
      result("1", made),
      said("assistant", call("2"), { api: "openai-responses" }),
      result("2", "aborted", { details: { openclawSyntheticMissingToolResult: true } }),
      said("assistant", call("3"), { api: "anthropic-messages" }),
      result("3", "No such file"),
      said("assistant", call("4"), { api: "anthropic-messages" }),
      said("user", "And?"),
    ]
    const events: { id: string }[] = []
    for (const message of messages) events.push(event("message", events.at(-1)?.id ?? null, message))
    addSession(db, "a", events)
  })
  const { messages } = await sessions.readContext(keyOf("a"))
  const results = messages.filter(({ role }) => role === "toolResult") as { content: { text: string }[] }[]
  const lost = "No result provided"
  expect(results.map(({ content }) => content[0]?.text)).toEqual([lost, "aborted", "No such file", lost])
})
