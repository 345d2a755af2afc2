import { mkdir, readFile, rename, rm, writeFile } from "node:fs/promises"
import { dirname, join } from "node:path"
import { describe, expect, it, test } from "vitest"
import { openAgentStorage } from "../src/kit.js"
import { tasksAgent } from "../src/tasks/agent.js"
import { cline, clineVsCode, roo } from "../src/tasks/places.js"
import { agentContract } from "../src/testing.js"
import { inFolder, shortly } from "./in-folder.js"

// Documents as Cline 3.0 and Roo Code 3 write them.
const START = Date.parse("2026-11-25T10:00:00.000Z")
const TASK = "tasks/a/api_conversation_history.json"
let clock = 0

type Fields = Readonly<Record<string, unknown>>

const text = (text: string) => ({ type: "text", text })
const say = (...content: Fields[]) => ({ role: "user", content, ts: START + ++clock * 1000 })
const answer = (said: string, ...more: Fields[]) => ({ ...say(text(said), ...more), role: "assistant" })
const request = (tokens: Fields) => ({ ts: START, type: "say", say: "api_req_started", text: JSON.stringify(tokens) })
const turn = (said: string) => {
  const metrics = { inputTokens: 1110, outputTokens: 5, cacheReadTokens: 1000, cacheWriteTokens: 100, cost: 0.25 }
  const modelInfo = { id: "claude-sonnet-4-5", provider: "anthropic" }
  const input = say(text(`<user_input mode="act">${said}</user_input>`))
  return [
    { ...input, id: `u${clock}` },
    { ...answer("Answer"), id: `a${clock}`, modelInfo, metrics },
  ]
}
const session = (id: string, cwd: string, messages: readonly Fields[], more: Fields = {}) => ({
  [`sessions/${id}/${id}.messages.json`]: JSON.stringify(
    { version: 1, sessionId: id, messages, system_prompt: "You are Cline." },
    null,
    2,
  ),
  [`sessions/${id}/${id}.json`]: JSON.stringify({ session_id: id, started_at: "2026-11-25T10:00:00Z", cwd, ...more }),
})

test("a session of Cline has what its manifest says, files as they are sent, and usage with its cost", async () => {
  const file = { type: "file", path: "a.txt", content: "one" }
  const found = [{ query: "a.txt", result: "one", success: true }]
  const { contextOf, listed, usage } = await inFolder(tasksAgent(cline), {
    ...session(
      "a",
      "/home/ada/shop",
      [
        say(text('<user_input mode="act">See @a.txt</user_input>'), file),
        answer("I call.", { type: "tool_use", id: "c1", name: "read_files", input: {} }),
        say({ type: "tool_result", tool_use_id: "c1", name: "read_files", content: found }),
        ...turn("Now"),
      ],
      { metadata: { title: "A title" } },
    ),
  })
  expect(await listed()).toMatchObject([
    { id: "a", cwd: "/home/ada/shop", name: "A title", firstMessage: "See @a.txt" },
  ])
  expect(shortly(await contextOf("sessions/a/a.messages.json"))).toEqual([
    'user: See @a.txt<file_content path="a.txt">\none\n</file_content>',
    "assistant: I call.",
    `toolResult: ${JSON.stringify(found)}`,
    "user: Now",
    "assistant: Answer",
  ])
  expect(await usage()).toMatchObject({ input: 10, output: 5, cacheRead: 1000, cacheWrite: 100, cost: 0.25 })
})

test("a task has its folder and model from what its prompt says of them, and usage from what the window shows", async () => {
  const details =
    "<environment_details>\n<model>claude-sonnet-4-5</model>\n# Current Workspace Directory (/home/ada/shop) Files\n</environment_details>"
  const { listed, usage } = await inFolder(tasksAgent(roo), {
    [TASK]: JSON.stringify([say(text("<task>\nWhy?\n</task>"), text(details)), answer("So.")]),
    "tasks/a/ui_messages.json": JSON.stringify([
      request({ tokensIn: 1110, tokensOut: 5, cacheReads: 1000, cacheWrites: 100, cost: 0.5 }),
      request({}),
      request({ tokensIn: 1, tokensOut: 0, cost: 0 }),
    ]),
  })
  expect(await listed()).toMatchObject([
    { id: "a", cwd: "/home/ada/shop", firstMessage: "Why?", model: "unknown/claude-sonnet-4-5" },
  ])
  expect(await usage()).toMatchObject({ input: 11, output: 5, cacheRead: 1000, cacheWrite: 100, cost: 0.5 })
})

test("what was used for requests that were taken back, by sub-agents and to shorten the context counts too", async () => {
  const shown = (kind: string, fields: Fields) => ({ ts: START, type: "say", say: kind, ...fields })
  const used = JSON.stringify({ tokensIn: 100, tokensOut: 50, cacheReads: 7, cacheWrites: 3, cost: 0.25 })
  const { usage, contextOf } = await inFolder(tasksAgent(clineVsCode), {
    [TASK]: JSON.stringify([say(text("<task>\nWhy?\n</task>")), answer("So.")]),
    "tasks/a/ui_messages.json": JSON.stringify([
      request({ tokensIn: 10, tokensOut: 5, cost: 0.5 }),
      shown("deleted_api_reqs", { text: used }),
      shown("subagent_usage", { text: used }),
      shown("condense_context", { contextCondense: { cost: 0.125, summary: "All" } }),
    ]),
  })
  expect(await usage()).toMatchObject({ input: 210, output: 105, cacheRead: 14, cacheWrite: 6, cost: 1.125 })
  expect(shortly(await contextOf(TASK))).toEqual(["user: <task>\nWhy?\n</task>", "assistant: So."])
})

test("what was said is read where a document beside it is damaged, which is reported", async () => {
  const { contextOf, storage, dir } = await inFolder(tasksAgent(roo), {
    [TASK]: JSON.stringify([say(text("Why?"))]),
    "tasks/a/ui_messages.json": '[{"ts":1,"ty',
  })
  expect(shortly(await contextOf(TASK))).toEqual(["user: Why?"])
  const { diagnostics } = await storage.report(join(dir, TASK))
  expect(diagnostics).toMatchObject([{ kind: "invalid-json", message: expect.stringContaining("ui_messages.json") }])
})

test("a task without an answer yet is an empty session", async () => {
  const { listed } = await inFolder(tasksAgent(roo), { [TASK]: "[]" })
  expect(await listed()).toMatchObject([{ id: "a", messageCount: 0 }])
})

test("a summary begins the context, and what a cut hides is not in it", async () => {
  const summary = { ...say(text("All was said.")), isSummary: true, condenseId: "s" }
  const condensed = [
    { ...say(text("One")), condenseParent: "s" },
    { ...answer("First"), condenseParent: "s" },
  ]
  const cut = [
    { ...say(text("Two")), truncationParent: "t" },
    { ...answer("Second"), truncationParent: "t" },
  ]
  const marker = { ...say(text("[cut]")), isTruncationMarker: true, truncationId: "t" }
  const { contextOf } = await inFolder(tasksAgent(roo), {
    [TASK]: JSON.stringify([...condensed, summary, ...cut, marker, answer("Third")]),
  })
  expect(shortly(await contextOf(TASK))).toEqual([
    "compactionSummary: All was said.",
    "user: [cut]",
    "assistant: Third",
  ])
})

test("what Cline leaves out is not in the context, nor are results of calls in there; texts that it cut are those that it sends", async () => {
  const called = { ...answer("Calls"), content: [text("Calls"), { type: "tool_use", id: "1", name: "x", input: {} }] }
  const result = say({ type: "tool_result", tool_use_id: "1", content: "Found" }, text("Then"))
  const messages = [say(text("One")), answer("First"), say(text("Two")), called, result, answer("Third")]
  const { contextOf } = await inFolder(tasksAgent(clineVsCode), {
    [TASK]: JSON.stringify(messages),
    "tasks/a/ui_messages.json": JSON.stringify([
      { say: "text" },
      { say: "text", conversationHistoryDeletedRange: [2, 3] },
    ]),
    "tasks/a/context_history.json": JSON.stringify([
      [
        1,
        [
          0,
          [
            [
              0,
              [
                [START, "text", ["Old"]],
                [START, "text", ["[NOTE] Some was removed"], []],
              ],
            ],
          ],
        ],
      ],
      [2, [0, [[0, [[START, "text", ["Hidden"], []]]]]]],
      ["nonsense"],
    ]),
  })
  expect(shortly(await contextOf(TASK))).toEqual([
    ...["user: One", "assistant: [NOTE] Some was removed", "user: Then", "assistant: Third"],
  ])
})

/** Cline replaces its files whole. */
async function change(key: string, more: readonly Fields[]): Promise<void> {
  const document = JSON.parse(await readFile(key, "utf8"))
  const messages = [...document.messages, ...more]
  await writeFile(`${key}.tmp`, JSON.stringify({ ...document, messages }, null, 2))
  await rename(`${key}.tmp`, key)
}

test("a compaction of Cline begins the context with its summary and what it keeps; one that no longer fits changes nothing", async () => {
  const [one, two, after] = [turn("One"), turn("Two"), turn("After")]
  const summary = {
    role: "user",
    content: [text("Context summary:\n\nAll")],
    metadata: { summary: "All", generatedAt: START },
  }
  const compaction = (last: unknown) =>
    JSON.stringify({ source_message_count: 4, source_last_message_key: `id:${last}`, messages: [summary, ...two] })
  const contextAfter = async (last: unknown) => {
    const files = {
      ...session("a", "/home/ada/shop", [...one, ...two, ...after]),
      "sessions/a/a.compaction.json": compaction(last),
    }
    return shortly(await (await inFolder(tasksAgent(cline), files)).contextOf("sessions/a/a.messages.json"))
  }
  const said = ["user: Two", "assistant: Answer", "user: After", "assistant: Answer"]
  expect(await contextAfter(two[1]?.id)).toEqual(["compactionSummary: All", ...said])
  expect(await contextAfter("taken back")).toEqual(["user: One", "assistant: Answer", ...said])
})

agentContract(
  { describe, it },
  {
    name: "cline",
    ids: ["1795659126123_cicas", "1795659126124_abcde"],
    open: (dir, cacheDir, fs) => openAgentStorage(tasksAgent(cline), { dir, cacheDir, fs, env: {} }),
    async write(dir, { id, cwd, said }) {
      for (const [path, content] of Object.entries(session(id, cwd, said.flatMap(turn)))) {
        await mkdir(dirname(join(dir, path)), { recursive: true })
        await writeFile(join(dir, path), content)
      }
      return join(dir, "sessions", id, `${id}.messages.json`)
    },
    say: (_, key, said) => change(key, turn(said)),
    remove: (_, key) => rm(key),
    async addUnknown(_, key) {
      await change(key, [{ ...say(), role: "hologram" }])
      return "message"
    },
  },
)
