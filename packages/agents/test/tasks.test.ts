import { mkdir, readFile, rename, rm, writeFile } from "node:fs/promises"
import { dirname, join } from "node:path"
import { openAgentStorage } from "@treelog/agents/kit"
import { agentContract } from "@treelog/agents/testing"
import { loadDriver } from "@treelog/index-sqlite"
import { SessionManager } from "@treelog/session-core"
import { FileOperations } from "@treelog/session-core/search"
import { describe, expect, it, test } from "vitest"
import { cline, clineVsCode, roo, tasksAgent } from "./door.js"
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

test("tags of Cline around what was typed are not sent, also behind a notice, and what a model says of them stays", async () => {
  const notice = "<mode_notice>From plan to act.</mode_notice>"
  const { contextOf } = await inFolder(tasksAgent(cline), {
    ...session("a", "/shop", [
      say(text(`${notice}\n<user_input mode="act">One</user_input>`)),
      answer("<user_input>Yes</user_input>"),
      say(text('<user_input mode="act"><user_command slash="team">Two</user_command></user_input>')),
      answer("Done"),
    ]),
  })
  expect(shortly(await contextOf("sessions/a/a.messages.json"))).toEqual([
    `user: ${notice}\nOne`,
    "assistant: <user_input>Yes</user_input>",
    "user: Two",
    "assistant: Done",
  ])
})

test("results of calls that were texts, and what Cline says itself, are no prompts; answers to its questions are", async () => {
  const { sessions, contextOf, dir } = await inFolder(tasksAgent(clineVsCode), {
    [TASK]: JSON.stringify([
      say(text("<task>\nFix it\n</task>")),
      answer("<read_file>\n<path>a.ts</path>\n</read_file>"),
      say(text("[read_file for 'a.ts'] Result:"), text("let <answer>a</answer>")),
      answer("So."),
      say(text("[ERROR] You did not use a tool in your previous response!")),
      answer("<ask_followup_question>\n<question>Which?</question>\n</ask_followup_question>"),
      say(text("[ask_followup_question for 'Which?'] Result:"), text("<answer>\nThat one\n</answer>")),
      answer("<attempt_completion>\n<result>Done</result>\n</attempt_completion>"),
      say(text("[attempt_completion] Result:"), text("<feedback>\nNot yet\n</feedback>")),
    ]),
  })
  const messages = (await contextOf(TASK)) as { role: string; prompt?: string }[]
  expect(messages.flatMap(({ role, prompt }) => (role === "assistant" ? [] : [prompt ?? role]))).toEqual([
    ...["Fix it", "custom", "custom", "That one", "Not yet"],
  ])
  const session = await sessions.open(join(dir, TASK), { access: "read" })
  const shown = session.getBranch().filter(({ type }) => type === "custom_message")
  expect(shown).toMatchObject([{ display: true }, { display: true }])
})

test("results of calls that were texts say which files these read and changed, unless they failed or were denied", async () => {
  const result = (call: string, ...texts: string[]) => say(text(`[${call}] Result:`), ...texts.map(text))
  const several = "<files><file><path>a.ts</path><content/></file>\n<file><path>b.ts</path><content/></file></files>"
  const { sessions, dir } = await inFolder(tasksAgent(roo), {
    [TASK]: JSON.stringify([
      say(text("<task>\nFix it\n</task>")),
      answer("I read."),
      result("read_file for 'a.ts'. Reading several", several),
      answer("I write."),
      say(text("[write_to_file for 'src/new file.ts'] Result:\n\nThe content was saved")),
      answer("I change."),
      result("replace_in_file for 'c.ts'", "The user denied this operation."),
      result("apply_diff for 'd.ts'", "<error>\nNo match\n</error>"),
      result("replace_in_file for 'e.ts'", "The content was saved"),
      result("list_files for 'src'", "x.ts"),
      result("execute_command for 'rm f.ts'", "Done"),
      answer("So."),
    ]),
  })
  const session = await sessions.open(join(dir, TASK), { access: "read" })
  const files = new FileOperations()
  for (const entry of session.getEntries()) files.addEntry(entry)
  expect(files.lists()).toEqual({ readFiles: ["a.ts", "b.ts"], modifiedFiles: ["e.ts", "src/new file.ts"] })
})

test("shows and finds why requests of a task failed, where they did, and gives it to no model", async () => {
  const shown = (ts: number, more: Fields) => ({ ts: START + ts * 1000, type: "say", ...more })
  const at = (ts: number, message: Fields) => ({ ...message, ts: START + ts * 1000 })
  const failed = JSON.stringify({ message: "Credits are used up", status: 402 })
  const { contextOf, found, sessions, dir } = await inFolder(tasksAgent(roo), {
    [TASK]: JSON.stringify([
      at(1, say(text("<task>One</task>"))),
      at(5, answer("I call.", { type: "tool_use", id: "c1", name: "read_file", input: {} })),
      at(7, say({ type: "tool_result", tool_use_id: "c1", content: "one" })),
      at(9, answer("Done")),
    ]),
    "tasks/a/ui_messages.json": JSON.stringify([
      shown(2, { say: "api_req_started", text: JSON.stringify({ streamingFailedMessage: "terminated early" }) }),
      shown(3, { say: "text", text: "I call." }),
      shown(6, { say: "error", text: "Unreadable file" }),
      shown(10, { say: "api_req_started", text: JSON.stringify({ streamingFailedMessage: failed }) }),
      shown(11, { type: "ask", ask: "api_req_failed", text: failed }),
    ]),
  })
  expect(shortly(await contextOf(TASK)).slice(1)).toEqual(["assistant: I call.", "toolResult: one", "assistant: Done"])
  const session = await sessions.open(join(dir, TASK), { access: "read" })
  const path = session.getBranch().flatMap((entry) => {
    if (entry.type === "custom_message") return [(entry as { content?: unknown }).content]
    return "message" in entry ? [(entry.message as { role: string }).role] : []
  })
  const errors = ["terminated early", "Unreadable file", "Credits are used up"]
  expect(path).toEqual(["user", errors[0], "assistant", "toolResult", errors[1], "assistant", errors[2]])
  expect([await found("terminated"), await found("Credits")]).toEqual([1, 1])
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

test("a task of Cline has its times from its requests, and the model that was noted before each", async () => {
  const noted = (ts: number, model_id: string) => ({ ts, model_id, model_provider_id: "anthropic", mode: "act" })
  const untimed = [say(text("<task>\nWhy?\n</task>")), answer("So."), say(text("Go")), answer("Gone.")]
  const day = 86_400_000
  const { listed, contextOf } = await inFolder(tasksAgent(clineVsCode), {
    [TASK]: JSON.stringify(untimed.map(({ ts, ...message }) => message)),
    "tasks/a/ui_messages.json": JSON.stringify([
      { ...request({ tokensIn: 10, tokensOut: 5 }), ts: START },
      { ...request({ tokensIn: 20, tokensOut: 6 }), ts: START + day },
    ]),
    "tasks/a/task_metadata.json": JSON.stringify({
      model_usage: [noted(START - 1, "claude-sonnet-4"), noted(START + day - 1, "claude-opus-4")],
    }),
  })
  expect(await listed()).toMatchObject([{ model: "anthropic/claude-opus-4", modified: START + day }])
  expect((await contextOf(TASK)).filter(({ role }) => role === "assistant")).toMatchObject([
    { provider: "anthropic", model: "claude-sonnet-4", timestamp: START },
    { provider: "anthropic", model: "claude-opus-4", timestamp: START + day },
  ])
})

test("a task of Cline whose window is gone has the usage that its messages have", async () => {
  const metrics = { tokens: { prompt: 110, completion: 5, cached: 100 }, cost: 0.25 }
  const { usage } = await inFolder(tasksAgent(clineVsCode), {
    [TASK]: JSON.stringify([say(text("Why?")), { ...answer("So."), metrics }]),
  })
  expect(await usage()).toMatchObject({ input: 10, output: 5, cacheRead: 100, cost: 0.25 })
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

test("a summary of Roo Code before 2026 is a reply, with the calls whose results are kept; results of calls that it hides are not sent", async () => {
  const call = (id: string) => ({ type: "tool_use", id, name: "read_file", input: { path: "a" } })
  const result = (id: string) => ({ type: "tool_result", tool_use_id: id, content: `Result ${id}` })
  const hidden = { ...answer("Reads", call("1")), condenseParent: "s" }
  const kept = [{ type: "reasoning", text: "Condensing" }, text("All was said."), call("2")]
  const summary = { ...answer(""), content: kept, isSummary: true, condenseId: "s" }
  const { contextOf } = await inFolder(tasksAgent(roo), {
    [TASK]: JSON.stringify([
      say(text("One")),
      hidden,
      summary,
      say(result("1"), result("2"), text("Go")),
      answer("Done"),
    ]),
  })
  const context = await contextOf(TASK)
  expect(shortly(context)).toEqual(["assistant: All was said.", "toolResult: Result 2", "user: Go", "assistant: Done"])
  expect(context[0]).toMatchObject({ content: kept.map(({ type }) => ({ type: TYPES[type] ?? type })) })
  expect(context[1]).toMatchObject({ toolName: "read_file" })
})

const TYPES: Readonly<Record<string, string>> = { reasoning: "thinking", tool_use: "toolCall" }

test("what Roo Code used for requests that were taken back counts", async () => {
  const deleted = { ...request({ tokensIn: 100, tokensOut: 5, cost: 0.25 }), say: "api_req_deleted" }
  const { usage } = await inFolder(tasksAgent(roo), {
    [TASK]: JSON.stringify([say(text("Why?")), answer("So.")]),
    "tasks/a/ui_messages.json": JSON.stringify([deleted, request({ tokensIn: 10, tokensOut: 1, cost: 0.5 })]),
  })
  expect(await usage()).toMatchObject({ input: 110, output: 6, cost: 0.75 })
})

test("usage of 2024, which is noted when a request is finished, counts", async () => {
  const finished = { ...request({ tokensIn: 100, tokensOut: 5, cacheReads: 7, cost: 0.25 }), say: "api_req_finished" }
  const { usage } = await inFolder(tasksAgent(clineVsCode), {
    [TASK]: JSON.stringify([say(text("Why?")), answer("So.")]),
    "tasks/a/claude_messages.json": JSON.stringify([request({ request: "Why?" }), finished]),
  })
  expect(await usage()).toMatchObject({ input: 100, output: 5, cacheRead: 7, cost: 0.25 })
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

test("a picture in a result of Cline is a picture; long results are whole in the entries, and short in the context", async () => {
  const picture = { type: "image", data: "aGk=", mediaType: "image/png" }
  const read = [{ query: "a.png", result: [text("Successfully read image"), picture], success: true }]
  const long = [{ query: "cat b", result: `<${"b".repeat(9_000)}>`, success: true }]
  const call = (id: string) => ({ type: "tool_use", id, name: "read_files", input: {}, signature: "c2ln" })
  const result = (id: string, content: unknown, more: Fields = {}) =>
    say({ type: "tool_result", tool_use_id: id, name: "read_files", content, ...more })
  const { contextOf, sessions, dir } = await inFolder(tasksAgent(cline), {
    ...session("a", "/home/ada/shop", [
      ...[say(text("Look")), answer("I call.", call("c1"), call("c2"), call("c3"), call("c4")), result("c1", read)],
      ...[result("c2", long), result("c3", read, { is_error: true }), ...turn("Now")],
    ]),
  })
  const context = await contextOf("sessions/a/a.messages.json")
  const [one, two, three, four] = context.filter(({ role }) => role === "toolResult") as { content: Fields[] }[]
  expect(one?.content).toEqual([
    text('[{"query":"a.png","result":["Successfully read image"],"success":true}]'),
    { type: "image", data: "aGk=", mimeType: "image/png" },
  ])
  const [{ result: sent = "" } = {}] = JSON.parse(String(two?.content[0]?.text)) as { result?: string }[]
  expect(sent).toMatch(/^<b+\n\n\.\.\.\[truncated 10\d\d chars\]\.\.\.\n\nb+>$/)
  expect(sent).toHaveLength(8_000)
  expect(three?.content).toEqual([
    text(
      '[{"query":"a.png","result":["Successfully read image","[media omitted: invalid or exceeds size limit]"],"success":true}]',
    ),
  ])
  expect(four).toMatchObject({
    content: [
      text('[{"type":"text","text":"Tool execution was interrupted before a result was produced. Tool: read_files."}]'),
    ],
    isError: true,
  })
  expect(JSON.stringify(context[1])).toContain('"thoughtSignature":"c2ln"')
  const opened = await sessions.open(join(dir, "sessions/a/a.messages.json"), { access: "read" })
  expect(JSON.stringify(opened.getEntries())).toContain("b".repeat(9_000))
  await opened.close()
})

test("a sub-agent of Cline stands behind the call that asked for what it was asked", async () => {
  const call = (id: string, task: string) => ({ type: "tool_use", id, name: "spawn_agent", input: { task } })
  const result = (id: string) => say({ type: "tool_result", tool_use_id: id, name: "spawn_agent", content: "Found" })
  const part = (name: string, prompt: string) => ({
    [`sessions/a/${name}.messages.json`]: JSON.stringify({ version: 1, sessionId: name, messages: turn(prompt) }),
  })
  const { copiedParts, listed, sessions, dir } = await inFolder(tasksAgent(cline), {
    ...session("a", "/home/ada/shop", [
      ...[say(text("Look")), answer("I call.", call("c1", "Find one"), call("c2", "Find two"))],
      ...[result("c1"), result("c2"), ...turn("Now")],
    ]),
    ...{ ...part("a__x", "Find two"), ...part("a__y", "Find one"), ...part("a__z", "Nothing of these") },
    "sessions/a/a__damaged.messages.json": "{no",
  })
  expect(await listed()).toMatchObject([{ id: "a" }])
  const opened = await sessions.open(join(dir, "sessions/a/a.messages.json"), { access: "read" })
  const parts = opened.getEntries().flatMap((entry) => ("data" in entry ? [entry.data] : []))
  expect(parts).toEqual([
    { name: "a__y.messages.jsonl", role: "subagent", call: "c1" },
    { name: "a__x.messages.jsonl", role: "subagent", call: "c2" },
  ])
  // One that cannot be read is copied as it is.
  const copied = ["a__damaged.messages.jsonl", "a__x.messages.jsonl", "a__y.messages.jsonl", "a__z.messages.jsonl"]
  expect((await copiedParts("sessions/a/a.messages.json")).sort()).toEqual(copied)
  await opened.close()
})

test("a subtask of Roo Code names its parent, which is complete where Roo Code says so, and a task that called its end is", async () => {
  const item = (fields: Fields) => JSON.stringify({ ts: START, task: "x", workspace: "/home/ada/shop", ...fields })
  const call = (name: string) => ({ type: "tool_use", id: "c", name, input: {} })
  const of = (id: string, name: string, history: Fields) => ({
    [`tasks/${id}/api_conversation_history.json`]: JSON.stringify([say(text("Go")), answer("I call.", call(name))]),
    [`tasks/${id}/history_item.json`]: item({ id, ...history }),
  })
  const { listed } = await inFolder(tasksAgent(roo), {
    ...of("1", "new_task", { childIds: ["2"], status: "completed" }),
    ...of("2", "attempt_completion", { parentTaskId: "1", rootTaskId: "1" }),
    ...of("3", "read_file", { status: "active" }),
    ...of("5", "new_task", { status: "delegated", awaitingChildId: "6" }),
    "tasks/4/api_conversation_history.json": JSON.stringify([say(text("Go")), answer("Done.")]),
    "tasks/4/history_item.json": "{no",
  })
  const found = (await listed()).sort((a, b) => Number(a.id) - Number(b.id))
  expect(found.map(({ cwd, parentSession, status }) => [cwd, parentSession, status])).toEqual([
    ...[
      ["/home/ada/shop", undefined, "complete"],
      ["/home/ada/shop", "1", "complete"],
    ],
    ...[
      ["/home/ada/shop", undefined, "interrupted"],
      ["", undefined, "complete"],
      ["/home/ada/shop", undefined, "complete"],
    ],
  ])
})

test("opaque reasoning of each form is kept with its reply", async () => {
  const encrypted = {
    type: "reasoning",
    encrypted_content: "ZW5j",
    id: "rs_1",
    summary: [{ type: "summary_text", text: "So" }],
  }
  const details = [{ type: "reasoning.encrypted", data: "b3BhcXVl" }]
  const { contextOf } = await inFolder(tasksAgent(roo), {
    [TASK]: JSON.stringify([
      ...[say(text("One")), { ...encrypted, role: "assistant", ts: START }, answer("First"), say(text("Two"))],
      { ...say(encrypted, text("Second")), role: "assistant" },
      {
        ...say({ type: "thinking", thinking: "Hm", signature: "c2ln", summary: details }, text("Third")),
        role: "assistant",
      },
      { ...say(text("Fourth"), { type: "thoughtSignature", thoughtSignature: "dGhv" }), role: "assistant" },
      { ...answer("Fifth"), reasoning_details: details },
    ]),
  })
  const item = JSON.stringify({ type: "reasoning", id: "rs_1", summary: encrypted.summary, encrypted_content: "ZW5j" })
  const replies = (await contextOf(TASK)).filter(({ role }) => role === "assistant")
  expect(replies).toMatchObject([
    { content: [{ type: "thinking", thinking: "So", thinkingSignature: item }, text("First")] },
    { content: [{ type: "thinking", thinking: "So", thinkingSignature: item }, text("Second")] },
    { content: [{ type: "thinking", thinking: "Hm", thinkingSignature: "c2ln", summary: details }, text("Third")] },
    { content: [{ ...text("Fourth"), textSignature: "dGhv" }] },
    { content: [text("Fifth")], reasoning_details: details },
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
    JSON.stringify({ source_message_count: 4, source_last_message_key: last, messages: [summary, ...two] })
  const contextAfter = async (last: unknown) => {
    const files = {
      ...session("a", "/home/ada/shop", [...one, ...two, ...after]),
      "sessions/a/a.compaction.json": compaction(last),
    }
    return shortly(await (await inFolder(tasksAgent(cline), files)).contextOf("sessions/a/a.messages.json"))
  }
  const said = ["user: Two", "assistant: Answer", "user: After", "assistant: Answer"]
  const compacted = ["user: Context summary:\n\nAll", ...said]
  expect(await contextAfter(`id:${two[1]?.id}`)).toEqual(compacted)
  expect(await contextAfter(`ts:assistant:${two[1]?.ts}`)).toEqual(compacted)
  expect(await contextAfter("id:taken back")).toEqual(["user: One", "assistant: Answer", ...said])
})

test("a task that Cline 4 goes on with counts where it began, unless the session is listed in its place", async () => {
  const warning =
    "Warning: this is a legacy conversation, which means tool names may have changed. Please use the most up-to-date tools."
  const sum = { metrics: { inputTokens: 900, outputTokens: 90, cost: 9 } }
  const began = [
    { role: "user", content: [text("<task>\nOne\n</task>")] },
    { role: "assistant", content: [text("Yes")], ...sum },
    { role: "user", content: warning },
  ]
  const resumed = session("a", "/home/ada/shop", [...began, ...turn("Two")])
  const own = { input: 10, output: 5, cost: 0.25 }
  const { usage, listed, contextOf } = await inFolder(tasksAgent(cline), resumed)
  expect(await usage()).toMatchObject(own)
  expect(await listed()).toMatchObject([{ id: "a", firstMessage: "One" }])
  expect(shortly(await contextOf("sessions/a/a.messages.json"))).toContain(`custom: ${warning}`)
  const beside = await inFolder(tasksAgent(cline), { [TASK]: JSON.stringify(began.slice(0, 2)), ...resumed })
  expect(await beside.usage()).toMatchObject({ input: 910, output: 95, cost: 9.25 })
})

test("the call that ended a task, which was gone on with, has the result that the program gives it", async () => {
  const call = { type: "tool_use", id: "c", name: "attempt_completion", input: { result: "Done" } }
  const task = JSON.stringify([
    { role: "user", content: [text("<task>\nOne\n</task>")] },
    { role: "assistant", content: [call] },
    { role: "user", content: [text("New instructions for task continuation:\n<user_message>\nTwo\n</user_message>")] },
  ])
  const resultOf = async (place: typeof cline | typeof clineVsCode | typeof roo) =>
    (await (await inFolder(tasksAgent(place), { [TASK]: task })).contextOf(TASK)).find(
      ({ role }) => role === "toolResult",
    )
  const missing = { toolCallId: "c", content: [text("result missing")], isError: false }
  expect(await resultOf(cline)).toMatchObject(missing)
  expect(await resultOf(clineVsCode)).toMatchObject(missing)
  const interrupted = text("Task was interrupted before this tool call could be completed.")
  expect(await resultOf(roo)).toMatchObject({ content: [interrupted] })
})

test("a compaction of Cline without a summary sends the messages as it shortened them", async () => {
  const one = turn("One")
  const notice = text("<SYSTEM_NOTICE>\nEarlier context was compacted.\n</SYSTEM_NOTICE>")
  const files = {
    ...session("a", "/home/ada/shop", [...one, ...turn("Two")]),
    "sessions/a/a.compaction.json": JSON.stringify({
      source_message_count: 2,
      source_last_message_key: `id:${one[1]?.id}`,
      messages: [{ ...one[0], content: [text("One"), notice], metadata: { kind: "compaction" } }],
    }),
  }
  const { contextOf } = await inFolder(tasksAgent(cline), files)
  const [first, ...more] = await contextOf("sessions/a/a.messages.json")
  expect(first).toMatchObject({ role: "user", content: [text("One"), notice] })
  expect(shortly(more)).toEqual(["user: Two", "assistant: Answer"])
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

test.for([
  ["cline-vscode", clineVsCode],
  ["cline", cline],
] as const)(
  "a task of %s has the folder that the list of all tasks has, and the usage of an older window",
  async ([, place]) => {
    const { listed, usage } = await inFolder(tasksAgent(place), {
      [TASK]: JSON.stringify([say(text("<task>Why?</task>")), answer("Answer")]),
      "tasks/a/claude_messages.json": JSON.stringify([
        request({ tokensIn: 300, tokensOut: 30, cacheReads: 10, cacheWrites: 5, cost: 0.5 }),
      ]),
      "tasks/b/api_conversation_history.json": JSON.stringify([say(text("<task>Where?</task>")), answer("There")]),
      "state/taskHistory.json": JSON.stringify([
        { id: "a", cwdOnTaskInitialization: "/home/ada/shop" },
        { id: "b", shadowGitConfigWorkTree: "/home/ada/till" },
      ]),
    })
    expect((await listed()).map(({ id, cwd }) => [id, cwd]).sort()).toEqual([
      ["a", "/home/ada/shop"],
      ["b", "/home/ada/till"],
    ])
    expect(await usage()).toMatchObject({ input: 300, output: 30, cacheRead: 10, cacheWrite: 5, cost: 0.5 })
  },
)

test("a task whose window says no usage has the sum that is noted beside it", async () => {
  const { usage } = await inFolder(tasksAgent(roo), {
    [TASK]: JSON.stringify([say(text("<task>Why?</task>")), answer("Answer")]),
    "tasks/a/ui_messages.json": "[]",
    "tasks/a/history_item.json": JSON.stringify({ id: "a", tokensIn: 300, tokensOut: 30, totalCost: 0.5 }),
  })
  expect(await usage()).toMatchObject({ input: 300, output: 30, cost: 0.5 })
})

test("what the list of tasks says that one used counts where nothing else says it", async () => {
  const list = [
    { id: "a", tokensIn: 300, tokensOut: 30, cacheReads: 10, cacheWrites: 5, totalCost: 0.5 },
    { id: "b", tokensIn: 9000, tokensOut: 900, totalCost: 9 },
    { id: "c", totalCost: 0.25 },
  ]
  const files = (id: string) => ({
    [`tasks/${id}/api_conversation_history.json`]: JSON.stringify([say(text("Why?")), answer("So.")]),
  })
  const { usage } = await inFolder(tasksAgent(clineVsCode), {
    ...files("a"),
    ...files("b"),
    ...files("c"),
    "tasks/a/ui_messages.json": JSON.stringify([request({ tokensIn: 0, tokensOut: 0, cost: 0 })]),
    "tasks/b/ui_messages.json": JSON.stringify([request({ tokensIn: 10, tokensOut: 5, cost: 0.125 })]),
    "state/taskHistory.json": JSON.stringify(list),
  })
  expect(await usage()).toMatchObject({ input: 310, output: 35, cacheRead: 10, cacheWrite: 5, cost: 0.875 })
})

test("a subtask is marked as one, and not as a fork", async () => {
  const { listed } = await inFolder(tasksAgent(roo), {
    [TASK]: JSON.stringify([say(text("Why?"))]),
    "tasks/a/history_item.json": JSON.stringify({ id: "a", parentTaskId: "b" }),
  })
  expect(await listed()).toMatchObject([{ id: "a", parentSession: "b", kind: "subtask" }])
})

test("what VS Code keeps for an extension says the folder and the parent of a task that has no file of its own for them", async () => {
  const tasks = ["a", "b", "c"].map((id) => [`Ext.Roo/tasks/${id}/api_conversation_history.json`, say(text("Why?"))])
  const { dir } = await inFolder(tasksAgent(roo), {
    ...Object.fromEntries(tasks.map(([path, message]) => [path, JSON.stringify([message])])),
    "Ext.Roo/tasks/c/history_item.json": JSON.stringify({ id: "c", workspace: "/own" }),
  })
  const task = { workspace: "/shop", totalCost: 0.5 }
  const taskHistory = [
    { ...task, id: "a" },
    { ...task, id: "b", parentTaskId: "a" },
    { ...task, id: "c" },
  ]
  const db = (await loadDriver()).open(join(dir, "state.vscdb"))
  db.exec("CREATE TABLE ItemTable (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB)")
  db.prepare("INSERT INTO ItemTable VALUES (?, ?)").run("ext.roo", JSON.stringify({ taskHistory }))
  db.close()
  const options = { dir: join(dir, "Ext.Roo"), cacheDir: null, env: {}, loadDriver }
  const sessions = new SessionManager({ storage: openAgentStorage(tasksAgent(roo), options) })
  const found = []
  for await (const { id, cwd, parentSession } of sessions.listAll()) found.push([id, cwd, parentSession])
  expect(found.sort()).toEqual([
    ["a", "/shop", undefined],
    ["b", "/shop", "a"],
    ["c", "/own", undefined],
  ])
  await writeFile(join(dir, "state.vscdb"), "no database")
  for await (const { error } of sessions.listAll()) expect(error).toBeUndefined()
})

test("what a teammate's next transcript repeats counts once, also in the list before anything was indexed", async () => {
  const teammate = (id: string, messages: readonly Fields[]) => ({
    [`sessions/a/${id}.messages.json`]: JSON.stringify({ version: 1, sessionId: id, agent: "teammate", messages }),
  })
  const [one, two] = [turn("One"), turn("Two")]
  const { listed } = await inFolder(tasksAgent(cline), {
    ...session("a", "/shop", turn("Start")),
    ...teammate("a__teamtask__w__zz", one),
    ...teammate("a__teamtask__w__aa", [...one, ...two]),
    ...teammate("w__t3", [...one, ...two]),
  })
  const [info] = await listed()
  expect(info?.usages?.map(({ role, usage }) => [role, usage.calls, usage.cost])).toEqual([
    [undefined, 1, 0.25],
    ["subagent", 1, 0.25],
    ["subagent", 1, 0.25],
  ])
})
