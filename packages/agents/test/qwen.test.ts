import { appendFile, mkdir, rm, writeFile } from "node:fs/promises"
import { dirname, join } from "node:path"
import { openAgentStorage } from "@treelog/agents/kit"
import { agentContract } from "@treelog/agents/testing"
import { toAnthropicMessages } from "@treelog/session-core/messages"
import { describe, expect, it, test } from "vitest"
import { qwen as agent } from "./door.js"
import { inFolder, linesOf, shortly } from "./in-folder.js"

// Records as Qwen Code 0.24 writes them.
const START = Date.parse("2026-11-25T10:00:00.000Z")
const CHATS = "projects/-home-ada-shop/chats"
let clock = 0

type Fields = Readonly<Record<string, unknown>>

/** The records of a session, each behind the last one. */
function qwen(sessionId: string, cwd = "/home/ada/shop", last: string | null = null) {
  let parentUuid = last
  const record = (type: string, fields: Fields = {}) => {
    const uuid = String(fields.uuid ?? `${sessionId}-${++clock}`)
    const timestamp = new Date(START + ++clock * 1000).toISOString()
    const made = { uuid, parentUuid, sessionId, timestamp, type, cwd, version: "0.24.4", ...fields }
    parentUuid = uuid
    return made
  }
  const message = (role: string, parts: readonly Fields[]) => ({ message: { role, parts } })
  const called = (prompt: string, more: Fields = {}) => {
    const tokens = {
      input_token_count: 1110,
      output_token_count: 5,
      cached_content_token_count: 1000,
      total_token_count: 1115,
    }
    const uiEvent = {
      "event.name": "qwen-code.api_response",
      model: "qwen3-coder-plus",
      auth_type: "openai",
      prompt_id: prompt,
    }
    return record("system", { subtype: "ui_telemetry", systemPayload: { uiEvent: { ...uiEvent, ...tokens, ...more } } })
  }
  const say = (text: string) => record("user", { provenance: "real_user", ...message("user", [{ text }]) })
  const answer = (text: string, more: readonly Fields[] = []) => {
    const usage = {
      promptTokenCount: 1110,
      cachedContentTokenCount: 1000,
      candidatesTokenCount: 5,
      totalTokenCount: 1115,
    }
    const said = message("model", [{ text: "I think.", thought: true, thoughtSignature: "c2ln" }, { text }, ...more])
    return [called("main"), record("assistant", { model: "qwen3-coder-plus", ...said, usageMetadata: usage })]
  }
  return { record, message, called, say, answer, turn: (said: string) => [say(said), ...answer("Answer")] }
}

test("documents of versions before 0.2 are read", async () => {
  const path = `tmp/${"0a".repeat(32)}/chats/session-2025-10-01T10-00-0a1b2c3d.json`
  const at = (second: number) => ({ id: `m${second}`, timestamp: `2025-10-01T10:00:0${second}.000Z` })
  const tokens = { input: 1010, output: 5, cached: 1000, thoughts: 0, tool: 0, total: 1015 }
  const folder = await inFolder(agent, {
    [path]: JSON.stringify({
      sessionId: "0a1b2c3d-0000-4000-8000-000000000000",
      ...{ projectHash: "0a".repeat(32), startTime: at(0).timestamp, lastUpdated: at(2).timestamp },
      messages: [
        { ...at(1), type: "user", content: "Why?" },
        { ...at(2), type: "qwen", content: "Because.", thoughts: [], tokens, model: "qwen3-coder" },
      ],
    }),
    [`${CHATS}/a.jsonl`]: qwen("a").turn("One"),
  })
  expect((await folder.listed()).map(({ id, firstMessage }) => [id, firstMessage])).toEqual([
    ["a", "One"],
    ["0a1b2c3d-0000-4000-8000-000000000000", "Why?"],
  ])
  const [, reply] = await folder.contextOf(path)
  expect(reply).toMatchObject({
    provider: "unknown",
    model: "qwen3-coder",
    usage: { input: 10, cacheRead: 1000, output: 5 },
  })
})

test("another model of the provider gets the thoughts, as Qwen Code sends them", async () => {
  const { contextOf } = await inFolder(agent, { [`${CHATS}/a.jsonl`]: qwen("a").turn("One") })
  const sent = toAnthropicMessages(await contextOf(`${CHATS}/a.jsonl`), {
    target: { provider: "openai", model: "other" },
  })
  const thought = { type: "thinking", thinking: "I think.", signature: "c2ln" }
  expect(sent.messages[1]).toMatchObject({ content: [thought, { type: "text", text: "Answer" }] })
})

test("a command that Qwen Code answered by itself is not in the context; one that the model got is", async () => {
  const { say, record, turn } = qwen("a")
  const command = (rawCommand: string, more: Fields = {}) => {
    const outputHistoryItems = [{ type: "assistant", text: "Help" }]
    const systemPayload = { phase: "result", rawCommand, outputHistoryItems, ...more }
    return record("system", { subtype: "slash_command", systemPayload })
  }
  const { contextOf } = await inFolder(agent, {
    [`${CHATS}/a.jsonl`]: [
      ...[say("/help"), command("/help"), say("/sent"), command("/sent", { sentToModel: true })],
      ...[say("/other"), command("/help"), ...turn("Now")],
    ],
  })
  expect(shortly(await contextOf(`${CHATS}/a.jsonl`))).toEqual([
    ...["user: /sent", "user: /other", "user: Now", "assistant: Answer"],
  ])
})

test("people see and find what a command printed, behind the command, and the model does not get it", async () => {
  const { record, say, turn } = qwen("a")
  const result = (rawCommand: string, text: string) => {
    const systemPayload = { phase: "result", rawCommand, outputHistoryItems: [{ type: "info", text }] }
    return record("system", { subtype: "slash_command", systemPayload })
  }
  const path = `${CHATS}/a.jsonl`
  const { contextOf, sessions, dir } = await inFolder(agent, {
    [path]: [result("/about", "Version kyanite"), say("/help"), result("/help", "Help amber"), ...turn("Now")],
  })
  const session = await sessions.open(join(dir, path), { access: "read" })
  const notices = session.getBranch().filter(({ type }) => type === "custom_message")
  expect(notices).toMatchObject([
    { customType: "qwen.command", content: "/about\nVersion kyanite", display: true },
    { customType: "qwen.command", content: "Help amber", display: true },
  ])
  await session.close()
  expect(shortly(await contextOf(path))).toEqual(["user: /help", "user: Now", said("assistant: I think.Answer")])
})

test("people see and find what a task in the background and a schedule said, and not what a goal says to the model", async () => {
  const { record, message, turn } = qwen("a")
  const said = (subtype: string, text: string) => record("user", { subtype, ...message("user", [{ text }]) })
  const path = `${CHATS}/a.jsonl`
  const { sessions, dir } = await inFolder(agent, {
    [path]: [...turn("One"), said("notification", "Done"), said("cron", "Check"), said("goal_runtime", "Go on")],
  })
  const session = await sessions.open(join(dir, path), { access: "read" })
  const shown = session.getBranch().flatMap((entry) => (entry.type === "custom_message" ? [entry.display] : []))
  expect(shown).toEqual([true, true, false])
  await session.close()
})

test("people see what was said by voice, and the model of the session does not get it", async () => {
  const { record, message, turn } = qwen("a")
  const voice = { subtype: "realtime_message" }
  const path = `${CHATS}/a.jsonl`
  const { contextOf, sessions, dir } = await inFolder(agent, {
    [path]: [
      record("user", { ...voice, ...message("user", [{ text: "Spoken" }]) }),
      record("assistant", { ...voice, model: "qwen-omni", ...message("model", [{ text: "Heard" }]) }),
      ...turn("Now"),
    ],
  })
  const session = await sessions.open(join(dir, path), { access: "read" })
  const messages = session.getBranch().flatMap((entry) => (entry.type === "message" ? [entry.message] : []))
  expect(messages).toMatchObject([
    { role: "user", content: [{ text: "Spoken" }] },
    { role: "assistant", model: "qwen-omni", content: [{ text: "Heard" }] },
    ...[{ role: "user" }, { role: "assistant" }],
  ])
  await session.close()
  expect(shortly(await contextOf(path))).toEqual(["user: Now", said("assistant: I think.Answer")])
})

test("a call that was lost with its process has the result that Qwen Code gives it", async () => {
  const { say, answer, turn } = qwen("a")
  const call = { functionCall: { id: "c1", name: "read_file", args: {} } }
  const { contextOf } = await inFolder(agent, {
    [`${CHATS}/a.jsonl`]: [say("Go"), ...answer("I call.", [call]), ...turn("Now")],
  })
  const [, , result] = await contextOf(`${CHATS}/a.jsonl`)
  expect(result).toMatchObject({ role: "toolResult", toolCallId: "c1", toolName: "read_file", isError: true })
  expect(shortly([result ?? {}])).toEqual([expect.stringContaining("Tool execution result was not recorded")])
})

test("after a step back the context has what was before it", async () => {
  const { say, answer, record, turn } = qwen("a")
  const path = `${CHATS}/a.jsonl`
  const first = [say("Kept"), ...answer("Yes")]
  const rewind = { subtype: "rewind", systemPayload: { truncatedCount: 2 }, parentUuid: first.at(-1)?.uuid }
  const { contextOf } = await inFolder(agent, {
    [path]: [...first, ...turn("Gone"), record("system", rewind), ...turn("Now")],
  })
  expect(shortly(await contextOf(path))).toEqual(
    ["user: Kept", "assistant: I think.Yes", "user: Now", "assistant: I think.Answer"].map(said),
  )
})

test("tokens count once: of replies, of calls without one, of sub-agents; in a fork what is new, and what it copied once its original is gone", async () => {
  const { say, turn, called } = qwen("a")
  const records = [...turn("One"), called("compress-1"), called("x#explore-1", { subagent_name: "explore" })]
  const fork = qwen("b", undefined, records.at(-1)?.uuid)
  const copied = records.map((one) => ({
    ...one,
    sessionId: "b",
    forkedFrom: { sessionId: "a", messageUuid: one.uuid },
  }))
  const forked = { [`${CHATS}/b.jsonl`]: [...copied, ...fork.turn("Otherwise")] }
  const { usage, sessions, dir } = await inFolder(agent, {
    [`${CHATS}/a.jsonl`]: [...records, say("More")],
    ...forked,
  })
  const all = { calls: 4, input: 440, output: 20, cacheRead: 4000 }
  expect(await usage()).toMatchObject(all)
  expect(await (await inFolder(agent, forked)).usage()).toMatchObject(all)
  const session = await sessions.open(join(dir, `${CHATS}/b.jsonl`), { access: "read" })
  expect(session.getHeader().parentSession).toBe("a")
  await session.close()
})

test("after a compaction the context has the summary and what is kept", async () => {
  const { turn, record } = qwen("a")
  const path = `${CHATS}/a.jsonl`
  const kept = [{ text: "All was said." }, { text: "Got it." }].map((part, at) => ({
    role: at === 0 ? "user" : "model",
    parts: [part],
  }))
  const systemPayload = { info: { originalTokenCount: 9 }, compressedHistory: kept }
  const { contextOf } = await inFolder(agent, {
    [path]: [...turn("One"), record("system", { subtype: "chat_compression", systemPayload }), ...turn("Two")],
  })
  expect(shortly(await contextOf(path))).toEqual(
    ["compactionSummary: All was said.", "assistant: Got it.", "user: Two", "assistant: I think.Answer"].map(said),
  )
})

test("results, what was typed before files were put in, a title, and a sub-agent as a part that counts with its session", async () => {
  const { record, message, answer, called } = qwen("a")
  const display = { type: "task_execution", subagentName: "explore", taskDescription: "Find it" }
  const response = { functionResponse: { id: "c1", name: "agent", response: { output: "Found" } } }
  const result = {
    ...message("user", [response]),
    toolCallResult: { callId: "c1", status: "success", resultDisplay: display },
  }
  const child = qwen("a")
  const sidechain = child.turn("Find the thing").map((one) => ({ ...one, isSidechain: true }))
  const { contextOf, storage, listed, usage, dir } = await inFolder(agent, {
    [`${CHATS}/a.jsonl`]: [
      record("system", { subtype: "at_command", systemPayload: { userText: "See @a.txt" } }),
      record("user", message("user", [{ text: "See @a.txt" }, { text: "\n--- Content ---" }, { text: "one" }])),
      ...answer("I call.", [{ functionCall: { id: "c1", name: "agent", args: {} } }]),
      called("x#explore-c1#0", { subagent_name: "explore" }),
      record("tool_result", result),
      record("system", { subtype: "custom_title", systemPayload: { customTitle: "A title" } }),
    ],
    "projects/-home-ada-shop/subagents/a/agent-explore-c1.jsonl": sidechain.filter(({ type }) => type !== "system"),
  })
  expect((await contextOf(`${CHATS}/a.jsonl`)).at(-1)).toMatchObject({
    role: "toolResult",
    toolCallId: "c1",
    content: [{ text: "Found" }],
  })
  expect((await listed()).map(({ name, firstMessage }) => [name, firstMessage])).toEqual([["A title", "See @a.txt"]])
  const parts: unknown[] = []
  for await (const { part } of storage.parts(join(dir, `${CHATS}/a.jsonl`))) parts.push(part?.name)
  expect(parts).toEqual(["agent-explore-c1.jsonl"])
  expect(await usage()).toMatchObject({ calls: 2 })
})

test("what a server notes of prompts beside a session is no session", async () => {
  const noted = linesOf([{ v: 1, promptId: "p1", state: "in_flight", at: START }])
  const { listed } = await inFolder(agent, {
    [`${CHATS}/a.jsonl`]: qwen("a").turn("Why?"),
    [`${CHATS}/a.ledger.jsonl`]: noted,
    [`${CHATS}/archive/b.ledger.jsonl`]: noted,
  })
  expect((await listed()).map(({ id }) => id)).toEqual(["a"])
})

test("is complete with an answer in the form that a program asked for, and not with one that was refused", async () => {
  const { record, message, answer } = qwen("a")
  const statusWith = async (status: string) => {
    const response = { functionResponse: { id: "c1", name: "structured_output", response: { output: "Accepted" } } }
    const { listed } = await inFolder(agent, {
      [`${CHATS}/a.jsonl`]: [
        record("user", message("user", [{ text: "Which?" }])),
        ...answer("", [{ functionCall: { id: "c1", name: "structured_output", args: { a: "one" } } }]),
        record("tool_result", { ...message("user", [response]), toolCallResult: { callId: "c1", status } }),
      ],
    })
    return (await listed()).map((info) => info.status)
  }
  expect(await statusWith("success")).toEqual(["complete"])
  expect(await statusWith("error")).toEqual(["interrupted"])
})

test("behind a record that is missing the context begins anew, and that is reported", async () => {
  const { turn } = qwen("a")
  const path = `${CHATS}/a.jsonl`
  const records = [...turn("Lost"), ...turn("Found")]
  const { contextOf, storage, dir } = await inFolder(agent, { [path]: records.filter((_, at) => at !== 2) })
  expect(shortly(await contextOf(path))[0]).toBe("user: Found")
  expect((await storage.report(join(dir, path))).diagnostics).toMatchObject([{ kind: "missing-parent" }])
})

/** Thinking is not in what is compared. */
const said = (one: string): string => one.replace("I think.", "")

agentContract(
  { describe, it },
  {
    name: "qwen",
    ids: ["45bde50a-e129-4345-bbf8-d2b2b1a1e0f8", "5bd00ad4-aa6a-4044-be11-784651b10864"],
    open: (dir, cacheDir, fs) => openAgentStorage(agent, { dir, cacheDir, env: {}, fs }),
    async write(dir, { id, cwd, said }) {
      const path = join(dir, CHATS, `${id}.jsonl`)
      await mkdir(dirname(path), { recursive: true })
      await writeFile(path, linesOf(said.flatMap(qwen(id, cwd).turn)))
      return path
    },
    say: (_, key, said) => appendFile(key, linesOf(qwen("next").turn(said))),
    remove: (_, key) => rm(key),
    async addUnknown(_, key) {
      await appendFile(key, linesOf([qwen("h").record("system", { subtype: "hologram" })]))
      return "system:hologram"
    },
  },
)
