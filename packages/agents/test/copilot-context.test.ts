import { createHash } from "node:crypto"
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { openAgentStorage } from "@treelog/agents/kit"
import { SessionManager, type SessionSource } from "@treelog/session-core"
import { MemorySessionIndex, parseQuery } from "@treelog/session-core/search"
import { expect, onTestFinished, test } from "vitest"
import { copilotEvents } from "./copilot-events.js"
import { copilot as agent } from "./door.js"
import { inFolder, shortly } from "./in-folder.js"

const { event, prompt, reply, result, start, turn, usage } = copilotEvents()

/** A session of Copilot with these events. */
async function session(...events: string[]) {
  const dir = await mkdtemp(join(tmpdir(), "treelog-copilot-"))
  onTestFinished(() => rm(dir, { recursive: true }))
  const key = join(dir, "session-state", "a", "events.jsonl")
  await mkdir(dirname(key), { recursive: true })
  await writeFile(key, start("a", "/home/ada/shop") + events.join(""))
  const storage = openAgentStorage(agent, { dir, cacheDir: null, env: {} })
  const sessions = new SessionManager({ storage })
  const { messages } = await sessions.readContext(key)
  return { storage, sessions, key, messages }
}

test("results are in the order of the calls, whatever the order in which the tools ended", async () => {
  const calls = ["one", "two"].map((toolCallId) => ({ toolCallId, name: "bash", arguments: { command: toolCallId } }))
  const { messages } = await session(
    prompt("Go"),
    reply("", calls),
    result("two", "2"),
    result("one", "1", false),
    reply("Done"),
  )
  expect(messages.filter(({ role }) => role === "toolResult")).toMatchObject([
    { toolCallId: "one", isError: true, content: [{ text: "1" }] },
    { toolCallId: "two", isError: false, content: [{ text: "2" }] },
  ])
})

test("the model got more than what was typed, which is the first prompt of a list", async () => {
  const { messages, sessions } = await session(turn("Why is it wrong?"))
  expect(messages[0]).toMatchObject({
    content: [{ text: "<current_datetime>now</current_datetime>\n\nWhy is it wrong?" }],
  })
  for await (const { firstMessage } of sessions.listAll()) expect(firstMessage).toBe("Why is it wrong?")
  expect.assertions(2)
})

test("after a step back the context has what was before it, and the rest is a branch", async () => {
  const taken = prompt("Taken back")
  const { id } = JSON.parse(taken) as { id: string }
  const back = event("session.snapshot_rewind", { upToEventId: id, eventsRemoved: 3 })
  const { messages } = await session(turn("Kept"), taken, reply("Gone"), back, turn("Otherwise"))
  const said = messages.flatMap((message) => (message.role === "user" ? [(message as { prompt?: string }).prompt] : []))
  expect(said).toEqual(["Kept", "Otherwise"])
})

test("tokens count once: of replies, of one that never came, and of sub-agents apart", async () => {
  const { storage } = await session(
    turn("One"),
    prompt("Two"),
    usage("lost"),
    usage("theirs", { agentId: "x" }),
    event("abort", {}),
  )
  const index = new MemorySessionIndex(storage)
  await index.update()
  const [row] = await index.usage({})
  expect(row?.totals).toMatchObject({ calls: 3, input: 30, output: 15, cacheRead: 3000, cacheWrite: 300 })
})

test("an attached image is sent with its path, a call that was interrupted has a result, and notifications are sent", async () => {
  const asset = { assetId: "sha256:1", mimeType: "image/png", data: "aW1hZ2U=" }
  const attachments = [{ type: "file", path: "/a.png", assetId: "sha256:1", mimeType: "image/png" }]
  const { messages } = await session(
    event("session.binary_asset", asset),
    event("user.message", { content: "See @a.png", attachments }),
    reply("I call.", [{ toolCallId: "one", name: "bash", arguments: {} }]),
    event("abort", { reason: "user_abort" }),
    event("system.notification", { content: "It is over.", kind: {} }),
  )
  expect(messages).toMatchObject([
    { content: [{ text: "See @a.png" }, { text: "Image file at path /a.png" }, { type: "image", data: "aW1hZ2U=" }] },
    { role: "assistant" },
    { toolCallId: "one", isError: true, content: [{ text: expect.stringContaining("interrupted") }] },
    { role: "custom", content: [{ text: "It is over." }] },
  ])
})

test("a compaction that succeeded begins the context with its summary; one that failed changes nothing", async () => {
  const failed = event("session.compaction_complete", { success: false, error: "busy" })
  const done = event("session.compaction_complete", {
    success: true,
    summaryContent: "All was said.",
    compactionTokensUsed: { inputTokens: 7, outputTokens: 3 },
    preCompactionTokens: 9,
  })
  expect((await session(turn("One"), failed)).messages).toHaveLength(2)
  const { messages, storage } = await session(turn("One"), done, turn("Two"))
  const index = new MemorySessionIndex(storage)
  await index.update()
  expect((await index.usage({}))[0]?.totals).toMatchObject({ calls: 3, output: 13 })
  expect(messages.map(({ role }) => role)).toEqual(["user", "user", "assistant"])
})

test.each(["constructor", "__proto__"])(
  "events called %s, as a member of all objects, are kept and named",
  async (kind) => {
    expect.assertions(2)
    const ofAgent = JSON.parse(event(kind, {}, { agentId: "agent-1" }))
    const { storage } = await session(turn("Go"), event(kind, {}), `${JSON.stringify(ofAgent)}\n`)
    for await (const { key } of storage.list()) {
      const { kinds, unknownKinds } = await storage.report(key)
      expect(unknownKinds).toEqual([kind, `subagent:${kind}`])
      expect(Object.entries(kinds)).toContainEqual([kind, { converted: 0, kept: 1, skipped: 0 }])
    }
  },
)

test("a sub-agent is a part with what it said, behind the call that started it, and is found with the session", async () => {
  const of = (line: string): string => `${JSON.stringify({ ...JSON.parse(line), agentId: "agent-1" })}\n`
  const ofAll = (lines: string): string => lines.trimEnd().split("\n").map(of).join("")
  const { storage, sessions, messages } = await session(
    turn("Go"),
    event("subagent.started", { toolCallId: "call-1", agentName: "find", agentDisplayName: "Finder" }),
    ofAll(turn("Find the thing")),
    of(event("hologram.shown", {})),
    turn("Thanks"),
  )
  expect(messages).toHaveLength(4)
  for await (const { key } of storage.list()) {
    const found = await sessions.open(key, { access: "read" })
    const part = found.getEntries().find((entry) => "customType" in entry && entry.customType === "treelog.part")
    await found.close()
    const texts = [{ text: expect.stringContaining("Find the thing") }, { text: "Answer" }]
    expect(part).toMatchObject({ data: { name: "agent-1.jsonl", call: "call-1", title: "Finder", texts } })
    expect((await storage.report(key)).unknownKinds).toEqual(["subagent:hologram.shown"])
    for await (const { name, chunks = [] } of storage.artifacts(key)) {
      let text = ""
      for await (const chunk of chunks) text += Buffer.from(chunk).toString()
      const [header, ...entries] = text
        .trimEnd()
        .split("\n")
        .map((line) => JSON.parse(line))
      expect([name, header.countedIn]).toEqual(["agent-1.jsonl", "a"])
      expect(entries.map(({ message }) => message.role)).toEqual(["user", "assistant"])
    }
  }
  expect.assertions(5)
})

test("the flat files of older versions are sessions beside those in folders", async () => {
  const { listed } = await inFolder(agent, {
    "session-state/new/events.jsonl": start("new", "/shop") + turn("First"),
    "session-state/old.jsonl": start("old", "/shop") + turn("Second"),
  })
  expect((await listed()).map(({ id, firstMessage }) => [id, firstMessage]).sort()).toEqual([
    ["new", "First"],
    ["old", "Second"],
  ])
})

const metrics = (model: string, inputTokens: number, outputTokens: number) => ({
  [model]: { requests: { count: 1 }, usage: { inputTokens, outputTokens, cacheReadTokens: 100, cacheWriteTokens: 10 } },
})
/** As versions before records of usage wrote replies. */
const plainReply = (outputTokens: number, more: object = {}, toolRequests: readonly object[] = []) =>
  event("assistant.message", { content: "Done", toolRequests, outputTokens, ...more })

async function found(storage: SessionSource, text: string) {
  const index = new MemorySessionIndex(storage)
  await index.update()
  return (await index.search(parseQuery(text, Date.now()))).sessions.flatMap(({ hits }) => hits)
}

async function usedBy(...events: string[]) {
  const { storage } = await session(...events)
  const index = new MemorySessionIndex(storage)
  await index.update()
  return Object.fromEntries(
    (await index.usage({ by: "model" })).map(({ key, totals: { input, output, cacheRead, cacheWrite } }) => [
      key,
      [input, output, cacheRead, cacheWrite],
    ]),
  )
}

test("without records of usage, the sums of each run count, and the output of a run that has none", async () => {
  const model = "claude-sonnet-4.5"
  const end = (...all: object[]) => event("session.shutdown", { modelMetrics: Object.assign({}, ...all) })
  expect(
    await usedBy(
      prompt("One") + plainReply(5, { model }) + end(metrics(model, 1110, 20), metrics("small", 210, 3)),
      event("session.resume", {}) + prompt("Two") + plainReply(7, { model }) + end(metrics(model, 310, 9)),
      event("session.resume", {}) + prompt("Killed") + plainReply(4, { model }),
    ),
  ).toEqual({
    [`github-copilot/${model}`]: [1200, 33, 200, 20],
    "github-copilot/small": [100, 3, 100, 10],
  })
})

test("sums that go on from those before count once, whether replies say their output or not", async () => {
  const model = "claude-sonnet-4.5"
  const run = (said: string, input: number, output: number) =>
    said + event("session.shutdown", { modelMetrics: metrics(model, input, output) })
  const resume = event("session.resume", {})
  const replies = [5, 7].map((output) => prompt("Go") + plainReply(output, { model }))
  const all = { [`github-copilot/${model}`]: [1210, 27, 100, 10] }
  expect(await usedBy(run(replies[0] ?? "", 1110, 20), resume, run(replies[1] ?? "", 1320, 27))).toEqual(all)
  const noted = event("session.usage_checkpoint", {})
  expect(await usedBy(noted, run(prompt("Go"), 1110, 20), resume, run(prompt("Go"), 1320, 27))).toEqual(all)
})

test("sums of a longer run than the one before are not taken for those of both", async () => {
  const model = "claude-sonnet-4.5"
  const run = (input: number, output: number) =>
    prompt("Go") +
    plainReply(output, { model }) +
    event("session.shutdown", { modelMetrics: metrics(model, input, output) })
  expect(await usedBy(run(1110, 20), event("session.resume", {}), run(2110, 30))).toEqual({
    [`github-copilot/${model}`]: [3000, 50, 200, 20],
  })
})

test("what an older compaction used counts, and an older session has its summary as its name", async () => {
  const compactionTokensUsed = { input: 110, output: 3, cachedInput: 100 }
  const done = { success: true, summaryContent: "All was said.", compactionTokensUsed }
  const { listed, usage } = await inFolder(agent, {
    "session-state/a/events.jsonl": start("a", "/shop") + prompt("First") + event("session.compaction_complete", done),
    "session-state/a/workspace.yaml": "cwd: /shop\nsummary: The rebate\nsummary_count: 0\n",
  })
  expect(await listed()).toMatchObject([{ name: "The rebate" }])
  expect(await usage()).toMatchObject({ input: 10, output: 3, cacheRead: 100 })
})

test("a compaction that failed counts too, and what names no model is of that which answered last", async () => {
  const { data } = JSON.parse(start("a", "/shop"))
  const { usage, listed } = await inFolder(agent, {
    "session-state/a/events.jsonl":
      event("session.start", { ...data, selectedModel: undefined }) +
      turn("One") +
      event("session.compaction_complete", {
        success: false,
        compactionTokensUsed: { inputTokens: 7, outputTokens: 3 },
      }),
  })
  expect(await usage()).toMatchObject({ calls: 2, input: 17, output: 8 })
  const models = (await listed())[0]?.usages?.map(({ model }) => model)
  expect(new Set(models)).toEqual(new Set(["anthropic/claude-sonnet-4.5"]))
})

test("behind records of usage, sums repeat them", async () => {
  const sums = event("session.shutdown", { modelMetrics: metrics("claude-sonnet-4.5", 9999, 99) })
  expect(await usedBy(turn("One"), sums, event("session.resume", {}), sums)).toEqual({
    "anthropic/claude-sonnet-4.5": [10, 5, 1000, 100],
  })
})

test("what a sub-agent does, named by its call alone, is a part, and the results of its parent stay", async () => {
  const calls = ["task", "bash"].map((name) => ({ toolCallId: `call-${name}`, name, arguments: {} }))
  const parentToolCallId = "call-task"
  const { messages, storage } = await session(
    prompt("Where?") + plainReply(1, {}, calls),
    event("subagent.started", { toolCallId: parentToolCallId, agentDisplayName: "Explore" }),
    plainReply(1, { parentToolCallId, content: "EXPLORER" }, [{ toolCallId: "grep", name: "grep", arguments: {} }]),
    result("call-bash", "41 tests passed"),
    result("grep", "tax.ts"),
    result("call-task", "One place"),
    plainReply(1, { content: "There." }),
  )
  const said = messages.map((message) => (message as { content: { text?: string }[] }).content[0]?.text)
  expect(said).toEqual(
    ["Where?", "Done", "One place", "41 tests passed", "There."].map((text) => expect.stringContaining(text)),
  )
  const [hit] = await found(storage, "tax.ts")
  expect(hit).toMatchObject({ part: { name: "call-task.jsonl", role: "subagent" } })
})

test("thoughts, texts and calls are in the order in which they came, with signatures and redacted ones", async () => {
  const orderedBlocks = [
    { type: "redacted_thinking", data: "sealed" },
    { type: "thinking", thinking: "one", signature: "s1" },
    { type: "text", text: "A" },
    { type: "thinking", thinking: "two", signature: "s2" },
    { type: "text", text: "B" },
    { type: "tool_use", id: "call" },
  ]
  const toolRequests = [{ toolCallId: "call", name: "bash", arguments: { command: "ls" } }]
  const { messages } = await session(
    prompt("Go"),
    event("assistant.message", {
      content: "AB",
      reasoningText: "onetwo",
      reasoningBlocks: { orderedBlocks },
      toolRequests,
    }),
  )
  expect(messages[1]).toMatchObject({
    content: [
      { type: "thinking", thinkingSignature: "sealed", redacted: true },
      { type: "thinking", thinking: "one", thinkingSignature: "s1" },
      { type: "text", text: "A" },
      { type: "thinking", thinking: "two", thinkingSignature: "s2" },
      { type: "text", text: "B" },
      { type: "toolCall", id: "call" },
    ],
  })
})

test("a command of the user is in the context in Copilot's words, and is found", async () => {
  const { messages, storage } = await session(
    event("tool.user_requested", { toolCallId: "c", toolName: "local_shell", arguments: { command: "cat gneiss" } }),
    event("tool.execution_complete", {
      toolCallId: "c",
      isUserRequested: true,
      success: true,
      result: { content: "hard" },
    }),
    turn("What was that?"),
  )
  expect(messages[0]).toMatchObject({
    role: "custom",
    content: [
      {
        text: "<user_shell_command_output>\nThe user executed a shell command directly in their terminal (exit code 0).\n\nCommand:\ncat gneiss\n\nOutput:\nhard\n</user_shell_command_output>",
      },
    ],
  })
  expect(await found(storage, "gneiss")).toHaveLength(1)
})

test("a call that died with its process has Copilot's words, and a result that comes late is its own", async () => {
  const call = (toolCallId: string) => ({ toolCallId, name: "bash", arguments: {} })
  const { messages } = await session(
    prompt("Go") + reply("", [call("late"), call("lost")]) + prompt("And?") + reply("Wait"),
    result("late", "Came late"),
  )
  const results = messages.filter(({ role }) => role === "toolResult")
  expect(results).toMatchObject([
    { toolCallId: "lost", isError: true, content: [{ text: expect.stringContaining("interrupted before a result") }] },
    { toolCallId: "late", content: [{ text: "Came late" }] },
  ])
})

test("a session has the name that its user gave, and is found by it", async () => {
  const { listed, storage } = await inFolder(agent, {
    "session-state/a/events.jsonl": start("a", "") + turn("First"),
    "session-state/a/workspace.yaml": 'cwd: /shop\nname: "Walnut: the rebate"\nuser_named: true\n',
  })
  expect(await listed()).toMatchObject([{ name: "Walnut: the rebate", cwd: "/shop", firstMessage: "First" }])
  expect(await found(storage, "walnut")).toMatchObject([{ role: "name" }])
})

test("a reply whose call the user ended is sent without its thoughts", async () => {
  const call = { toolCallId: "call", name: "bash", arguments: {} }
  const { messages } = await session(
    prompt("Go"),
    reply("I call.", [call]),
    event("abort", { reason: "user" }),
    turn("On"),
  )
  expect(messages[1]).toMatchObject({ content: [{ type: "text", text: "I call." }, { type: "toolCall" }] })
  expect(messages[2]).toMatchObject({ role: "toolResult", content: [{ text: expect.stringContaining("interrupted") }] })
  expect(messages[4]).toMatchObject({ foreignThinking: "kept", content: [{ type: "thinking" }, { text: "Answer" }] })
})

test("a call without a result when Copilot opens the session again has one in the words that it sends, whatever comes later", async () => {
  const made = event("tool.execution_complete", { toolCallId: "lost", interactionId: "resume", success: false })
  const calls = ["lost", "done"].map((toolCallId) => ({ toolCallId, name: "bash", arguments: {} }))
  const begun = prompt("Go") + reply("", calls) + result("done", "Two")
  const textsAfter = async (...events: string[]) => lastTexts((await session(begun, ...events)).messages.slice(2))
  const resume = event("session.resume", {})
  const lost = "The execution of this tool, or a previous tool was interrupted."
  for (const late of [[], [made], [result("lost", "One")]])
    expect(await textsAfter(resume, ...late, turn("On"))).toEqual([lost, "Two", expect.any(String), "Answer"])
  expect(await textsAfter(prompt("On"), resume)).toEqual(["Two", expect.stringMatching(/On$/), lost])
  const aborted = await textsAfter(turn("On"), event("abort", { reason: "user" }), result("lost", "One"))
  expect(aborted).toEqual(["Two", expect.stringMatching(/On$/), "Answer", "One"])
})

test("a session whose head is damaged has the id of its folder, and what is said of it beside", async () => {
  const events = copilotEvents()
  const { listed } = await inFolder(agent, {
    "session-state/a/events.jsonl": `{"type":"sess\n${events.turn("Why?")}`,
    "session-state/a/workspace.yaml": "cwd: /home/ada/shop\nname: A title\n",
  })
  expect(await listed()).toMatchObject([{ id: "a", cwd: "/home/ada/shop", name: "A title", firstMessage: "Why?" }])
})

/** What each message says last. */
const lastTexts = (messages: readonly object[]) =>
  messages.map((message) => {
    const { content } = message as { content: string | { text?: string; type: string }[] }
    return typeof content === "string" ? content : (content.at(-1)?.text ?? content.at(-1)?.type)
  })

test("what the runtime says to the model is in its context, behind the results that it comes between", async () => {
  const calls = ["one", "two"].map((toolCallId) => ({ toolCallId, name: "skill", arguments: {} }))
  const contentId = `sha256:${createHash("sha256").update("Sing a song.").digest("hex")}`
  const { messages, storage, key } = await session(
    event("skill.invoked", { name: "sing", content: "Sing a song." }),
    prompt("Go"),
    reply("", calls),
    result("one", "1"),
    event("skill.context_delivered", { content: "<skill>Sing.</skill>", source: "skill-sing" }),
    event("skill.context_delivered_ref", { contentId, prefix: "<skill>", suffix: "</skill>" }),
    event("skill.context_delivered_ref", { contentId: "sha256:none" }),
    result("two", "2"),
    event("session.mode_notice_delivered", { mode: "plan", content: "Plan now." }),
    event("session.mode_notice_delivered", { mode: "interactive" }),
    reply("Done"),
  )
  const said = ["1", "2", "<skill>Sing.</skill>", "<skill>Sing a song.</skill>", "Plan now.", "Done"]
  expect(lastTexts(messages).slice(2)).toEqual(said)
  const { kinds, unknownKinds } = await storage.report(key)
  expect([kinds["skill.context_delivered_ref"], unknownKinds]).toMatchObject([{ converted: 1, kept: 1 }, []])
})

test("nothing that was cleared is in the context", async () => {
  const cleared = event("session.context_cleared", { messagesCleared: 2, initialMessage: "Begin anew." })
  const { messages } = await session(turn("Before"), cleared, turn("Behind"))
  expect(lastTexts(messages)).toEqual(["Begin anew.", expect.stringContaining("Behind"), "Answer"])
})

test("items of reasoning of OpenAI are whole, and images of a result are not sent", async () => {
  const item = {
    type: "reasoning",
    id: "rs_1",
    summary: [{ type: "summary_text", text: "Hm" }],
    encrypted_content: "c2Vh",
  }
  const said = { content: "Yes", toolRequests: [{ toolCallId: "a", name: "look", arguments: {} }], model: "gpt-5" }
  const { messages, sessions, key } = await session(
    event("session.binary_asset", { assetId: "sha256:1", type: "image", mimeType: "image/png", data: "BBBB" }),
    prompt("Go"),
    event("assistant.message", {
      ...said,
      reasoningText: "Hm",
      reasoningBlocks: { provider: "openai", blocks: [item] },
    }),
    event("tool.execution_complete", {
      ...{ toolCallId: "a", success: true },
      result: {
        content: "Look:",
        contents: [{ type: "image", data: "CCCC", mimeType: "image/png" }],
        binaryResultsForLlm: [
          { type: "image", data: "AAAA", mimeType: "image/png" },
          { type: "image", assetId: "sha256:1", mimeType: "image/png" },
          { type: "resource", data: "DDDD", mimeType: "application/zip" },
          { type: "image", omittedReason: "too large", mimeType: "image/png" },
        ],
      },
    }),
    reply("Done"),
  )
  expect(messages[1]).toMatchObject({
    content: [{ type: "thinking", thinking: "Hm", thinkingSignature: JSON.stringify(item) }, { text: "Yes" }, {}],
  })
  expect((messages[2] as { content: object[] }).content).toEqual([{ type: "text", text: "Look:" }])
  const stored = await sessions.open(key, { access: "read" })
  const images = ["AAAA", "BBBB", "CCCC"].map((data) => ({ type: "image", data }))
  const content = [{ text: "Look:" }, ...images]
  expect(stored.getEntries().filter((entry) => JSON.stringify(entry).includes("AAAA"))).toMatchObject([
    { message: { toolCallId: "a", content } },
  ])
  await stored.close()
})

test("a summary is sent behind what the user typed before it, without what was taken back and what the runtime says", async () => {
  const compacted = (summaryContent: string) =>
    event("session.compaction_complete", { success: true, summaryContent, preCompactionTokens: 9 })
  const taken = prompt("Taken back")
  const { id } = JSON.parse(taken) as { id: string }
  const { messages } = await session(
    turn("One"),
    event("user.message", { content: "Sing", source: "skill-sing" }),
    taken,
    event("session.snapshot_rewind", { upToEventId: id, eventsRemoved: 1 }),
    compacted("First"),
    turn("Two"),
    compacted("Second"),
    turn("Three"),
  )
  const said = String(lastTexts(messages)[0])
  expect(said.match(/<user_message>[^<]*<\/user_message>/g)).toEqual(
    ["One", "Two"].map((text) => `<user_message>\n${text}\n</user_message>`),
  )
  expect(said).toMatch(
    /^Some of the conversation .*\n\n[\s\S]*\n\nHere is a summary [\s\S]*<summary>\nSecond\n<\/summary>$/,
  )
  expect(messages).toHaveLength(3)
})

const LEGACY = {
  sessionId: "old",
  startTime: "2025-09-30T10:00:00.000Z",
  selectedModel: "gpt-5",
  chatMessages: [
    { role: "system", content: "You are Copilot.\n* Current working directory: /srv/shop\n* OS: Linux" },
    { role: "user", content: "Why?\n<reminder>Be brief.</reminder>" },
    {
      role: "assistant",
      content: null,
      tool_calls: [{ id: "c1", type: "function", function: { name: "bash", arguments: '{"command":"ls"}' } }],
    },
    { role: "tool", tool_call_id: "c1", content: "a.ts" },
    { role: "assistant", content: "So." },
    { role: "user", content: [{ type: "text", text: "And this?" }] },
  ],
  timeline: [
    { type: "user", text: "Why?", timestamp: "2025-09-30T10:01:00.000Z" },
    { type: "copilot", text: "So.", timestamp: "2025-09-30T10:02:00.000Z" },
    { type: "user", text: "And this?", timestamp: "2025-09-30T10:05:00.000Z" },
  ],
}

test("a session of a version that wrote no events is read where it is, and where a later version has taken it over", async () => {
  const { contextOf, listed, storage, dir } = await inFolder(agent, {
    "history-session-state/session_old_1759226400000.json": JSON.stringify(LEGACY),
    "history-session-state/session_taken_1759226400000.json": JSON.stringify({ ...LEGACY, sessionId: "taken" }),
    "session-state/taken.jsonl":
      start("taken", "/srv/shop") + event("session.import_legacy", { legacySession: LEGACY }) + turn("More"),
  })
  const infos = (await listed()).map(({ id, cwd, firstMessage, created }) => ({ id, cwd, firstMessage, created }))
  expect(infos.sort((a, b) => (a.id < b.id ? -1 : 1))).toMatchObject([
    { id: "old", cwd: "/srv/shop", firstMessage: "Why?", created: Date.parse(LEGACY.startTime) },
    { id: "taken", cwd: "/srv/shop", firstMessage: "Why?" },
  ])
  const said = ["user: Why?\n<reminder>Be brief.</reminder>", "assistant: ", "toolResult: a.ts", "assistant: So."]
  const key = "history-session-state/session_old_1759226400000.json"
  expect(shortly(await contextOf(key))).toEqual([...said, "user: And this?"])
  expect((await contextOf(key)).map(({ timestamp }) => new Date(Number(timestamp)).getUTCMinutes())).toEqual([
    1, 1, 1, 1, 5,
  ])
  expect(shortly(await contextOf("session-state/taken.jsonl"))).toEqual([
    ...[...said, "user: And this?", "user: <current_datetime>now</current_datetime>\n\nMore", "assistant: Answer"],
  ])
  expect((await storage.report(join(dir, key))).kinds).toMatchObject({ "session.import_legacy": { converted: 1 } })
})

test("reasoning of OpenAI's API is shown and is not in the context, since Copilot does not send it when it goes on", async () => {
  const item = {
    type: "reasoning",
    id: "rs_1",
    summary: [{ type: "summary_text", text: "Hm" }],
    encrypted_content: "c2Vh",
  }
  const said = { model: "gpt-5", toolRequests: [], reasoningText: "Hm" }
  const reasoningBlocks = { provider: "openai-responses", blocks: [item] }
  const { messages, sessions, key } = await session(
    prompt("Go"),
    event("assistant.message", { ...said, content: "Yes", reasoningBlocks }),
    prompt("On"),
    event("assistant.message", { ...said, content: "", reasoningBlocks }),
    prompt("And?"),
  )
  expect(messages.map(({ role }) => role)).toEqual(["user", "assistant", "user", "user"])
  expect(messages[1]).toMatchObject({ content: [{ type: "text", text: "Yes" }] })
  const stored = await sessions.open(key, { access: "read" })
  expect(JSON.stringify([...stored.getEntries()]).match(/"thinking":"Hm"/g)).toHaveLength(2)
  await stored.close()
})

test("a thought of versions that kept no blocks is shown and not in the context", async () => {
  const calls = [{ toolCallId: "one", name: "bash", arguments: {} }]
  const said = { model: "claude-sonnet-4.5", reasoningText: "Hm", reasoningOpaque: "c2Vh" }
  const { messages, sessions, key } = await session(
    prompt("Go"),
    event("assistant.message", { ...said, content: "I look", toolRequests: calls }),
    result("one", "Done"),
    event("assistant.message", { ...said, content: "", toolRequests: [] }),
    prompt("And?"),
  )
  expect(messages.map(({ role }) => role)).toEqual(["user", "assistant", "toolResult", "user"])
  expect(messages[1]).toMatchObject({
    content: [
      { type: "text", text: "I look" },
      { type: "toolCall", id: "one" },
    ],
  })
  const stored = await sessions.open(key, { access: "read" })
  expect(JSON.stringify([...stored.getEntries()]).match(/"thinking":"Hm"/g)).toHaveLength(2)
  await stored.close()
})

test("what Copilot says in the name of the user is sent, and is no prompt; of a sub-agent, it is what that was asked", async () => {
  const said = (content: string, more: object = {}) => event("user.message", { content, ...more })
  const { messages, sessions } = await session(
    said("A skill", { source: "skill-pdf" }),
    said('<skill-context name="pdf">\nA skill, without a source\n</skill-context>'),
    said("Go on", { isAutopilotContinuation: true }),
    said("Look", { source: "user" }),
    event("user.message", { content: "Find it", source: "agent-1" }, { agentId: "a1" }),
    reply("Yes"),
  )
  const isTyped = (message: object) => !("customType" in message)
  expect(messages.map((message) => [message.role, isTyped(message)]).slice(0, 4)).toEqual([
    ["custom", false],
    ["custom", false],
    ["custom", false],
    ["user", true],
  ])
  for await (const { firstMessage } of sessions.listAll()) expect(firstMessage).toBe("Look")
})

test("a result that is a text alone, as of the first versions, is what the tool returned", async () => {
  const calls = [{ toolCallId: "one", name: "bash", arguments: {} }]
  const done = event("tool.execution_complete", { toolCallId: "one", success: true, result: "a.ts" })
  const { messages } = await session(prompt("Go"), reply("", calls), done)
  expect(messages.at(-1)).toMatchObject({ role: "toolResult", content: [{ text: "a.ts" }], isError: false })
})

test("a tool that takes a text, as apply_patch of OpenAI's models, has it as its input", async () => {
  const patch = "*** Begin Patch\n*** Add File: a.ts\n+1\n*** End Patch"
  const { messages } = await session(
    prompt("Go"),
    reply("", [{ toolCallId: "one", name: "apply_patch", arguments: patch, type: "custom" }]),
    result("one", "Done"),
  )
  expect(messages[1]).toMatchObject({
    content: [{}, { type: "toolCall", name: "apply_patch", arguments: { input: patch } }],
  })
})

test.each(["command-review", "schedule-1", "autopilot-objective"])(
  "what the user said by %s is a prompt, as it was typed",
  async (source) => {
    const asked = { content: "/review the parser", transformedContent: "Review the parser in depth.", source }
    const { sessions, messages } = await session(event("user.message", asked), reply("Done"))
    expect(messages[0]).toMatchObject({ role: "user", prompt: "/review the parser" })
    const listed = []
    for await (const info of sessions.listAll()) listed.push(info)
    expect(listed).toMatchObject([{ firstMessage: "/review the parser" }])
  },
)

test("what the provider ran by itself stands before what it said, and is found", async () => {
  const search = {
    type: "web_search_call",
    id: "ws_1",
    status: "completed",
    action: { type: "search", query: "kyanite" },
  }
  const advice = { type: "server_tool_use", id: "s1", name: "advisor", input: { question: "amber?" } }
  const raw = [{ type: "thinking", thinking: "Hm" }, advice, { type: "text", text: "Yes" }]
  const { storage, messages } = await session(
    prompt("Go"),
    event("assistant.message", { content: "Yes", serverTools: { provider: "openai-responses", items: [search] } }),
    event("assistant.message", { content: "Yes", serverTools: { rawContentBlocks: raw } }),
  )
  expect(messages.slice(1)).toMatchObject([
    { content: [search, { text: "Yes" }] },
    { content: [advice, { text: "Yes" }] },
  ])
  expect(await found(storage, "kyanite")).toMatchObject([{ role: "assistant" }])
})

test("what a tool used of a model by itself counts, of a sub-agent too", async () => {
  const toolUsage = { requestId: "r", model: "gpt-image-2", inputTokens: 30, outputTokens: 400 }
  const done = (toolCallId: string, more?: object) =>
    event("tool.execution_complete", { toolCallId, success: true, result: { content: "ok" }, toolUsage }, { ...more })
  const call = [{ toolCallId: "one", name: "image", arguments: {} }]
  const { storage } = await session(
    prompt("Go"),
    reply("", call),
    done("one"),
    done("one"),
    done("two", { agentId: "x" }),
  )
  const index = new MemorySessionIndex(storage)
  await index.update()
  const rows = await index.usage({ by: "model" })
  expect(rows.find(({ key }) => String(key).endsWith("gpt-image-2"))?.totals).toMatchObject({
    ...{ calls: 2, input: 60, output: 800 },
  })
})

test("what Copilot does by itself on the context of a session has that as its parent, and no person has it", async () => {
  const dir = await mkdtemp(join(tmpdir(), "treelog-copilot-"))
  onTestFinished(() => rm(dir, { recursive: true }))
  const key = join(dir, "session-state", "b", "events.jsonl")
  await mkdir(dirname(key), { recursive: true })
  const data = { sessionId: "b", context: { cwd: "/home/ada/shop" }, detachedFromSpawningParentSessionId: "a" }
  await writeFile(key, event("session.start", data) + prompt("Remember") + reply("Done"))
  const sessions = new SessionManager({ storage: openAgentStorage(agent, { dir, cacheDir: null, env: {} }) })
  const listed = []
  for await (const info of sessions.listAll()) listed.push(info)
  expect(listed).toMatchObject([{ id: "b", parentSession: "a", kind: "sdk" }])
})

test("people see what a session was handed over with, and what Copilot shows of its own state", async () => {
  const { storage, messages } = await session(
    event("session.handoff", { handoffTime: "2026-11-25T10:00:00.000Z", sourceType: "remote", summary: "Fixed agate" }),
    event("session.info", { infoType: "file_created", message: "hidden opal" }),
    ...[prompt("Go"), reply("Done")],
  )
  expect(shortly(messages)).toHaveLength(2)
  expect(await found(storage, "agate")).toMatchObject([{ role: "toolResult" }])
  expect(await found(storage, "opal")).toEqual([])
})

test.each(["session.error", "session.warning", "session.info"])(
  "people see and find a %s, and the model does not get it",
  async (type) => {
    const said = event(type, { message: "You have no quota left" })
    const { storage, messages } = await session(prompt("Go"), said, event(type, {}), prompt("Again"), reply("Done"))
    expect(shortly(messages)).toHaveLength(3)
    expect(await found(storage, "quota")).toMatchObject([{ role: "toolResult" }])
  },
)

test("of many prompts before a compaction, and of long ones, the model gets the first and the last", async () => {
  const compacted = event("session.compaction_complete", { success: true, summaryContent: "Much was said" })
  const saidBefore = async (...prompts: string[]): Promise<string[]> => {
    const { messages } = await session(...prompts.map(turn), compacted, turn("And now?"))
    const text = JSON.stringify(messages[0])
    return [...text.matchAll(/<user_message>\\n(.*?)\\n<\/user_message>|\.{3} \d+ messages omitted \.{3}/g)].map(
      ([all, said]) => said ?? all,
    )
  }
  const many = Array.from({ length: 22 }, (_, at) => `Prompt ${at + 1}`)
  expect(await saidBefore(...many)).toEqual([...many.slice(0, 3), "... 3 messages omitted ...", ...many.slice(6)])
  expect(await saidBefore(...many.slice(2))).toEqual(many.slice(2))
  const long = Array.from({ length: 16 }, (_, at) => String.fromCharCode(97 + at).repeat(2_000))
  expect(await saidBefore(...long)).toEqual([...long.slice(0, 2), "... 2 messages omitted ...", ...long.slice(4)])
  const cut = (length: number): string => `${"x".repeat(length - 17)}...<truncated>...`
  expect(await saidBefore("x".repeat(30_000), "Short")).toEqual([cut(5_999), "Short"])
  expect(await saidBefore("Short", "x".repeat(30_000))).toEqual(["Short", cut(24_001)])
})

test("what was attached to a prompt stands behind it, by its kind, and pictures and texts beside it", async () => {
  const repo = { owner: "ada", name: "shop" }
  const url = "https://github.com/ada/shop"
  const file = (ref: string) => ({ repo, ref, path: "cart.ts" })
  const attachments = [
    { type: "blob", mimeType: "text/plain", data: "aGk=", displayName: "note.txt" },
    { type: "blob", mimeType: "image/png", data: "AA==", displayName: "screen.png" },
    { type: "blob", mimeType: "application/octet-stream", data: "AA==" },
    { type: "github_snippet", ...file("main"), lineRange: { start: 1, end: 3 }, url },
    { type: "github_url", url },
    { type: "github_file_diff", head: file("new"), url },
    { type: "github_repository", repo, url },
    { type: "github_actions_job", repo, jobName: "build", workflowName: "CI", url },
    { type: "github_reference", number: 7, title: "Wrong", referenceType: "issue", state: "open", url },
    { type: "directory", path: "/shop", taggedFilesEntry: "* /shop (2 items)" },
    { type: "file", path: "/shop/a.txt", taggedFilesEntry: "* /shop/a.txt (3 lines)" },
    { type: "extension_context", extensionId: "e", title: "Cart", payload: { a: 1 } },
  ]
  const { messages } = await session(event("user.message", { content: "See", attachments }), reply("Yes"))
  const text = [
    "See\n\n",
    "<tagged_files>\n* /shop (2 items)\n* /shop/a.txt (3 lines)\n</tagged_files>",
    `<github_references>\n#7 - Wrong [issue] [open] (${url})\n</github_references>`,
    `<github_actions_jobs>\nada/shop - build [CI] [in_progress] (${url})\n</github_actions_jobs>`,
    `<github_repositories>\nada/shop (${url})\n</github_repositories>`,
    `<github_file_diffs>\n(added) -> ada/shop:cart.ts@new (${url})\n</github_file_diffs>`,
    `<github_urls>\n${url}\n</github_urls>`,
    `<github_snippets>\nada/shop:cart.ts@main#L1-L3 (${url})\n</github_snippets>`,
    '<extension_context extensionId="e" title="Cart"><payload>{&quot;a&quot;:1}</payload></extension_context>',
  ].join("\n\n")
  expect(messages[0]).toMatchObject({
    prompt: "See",
    content: [
      { text },
      { text: '<attachment mimeType="text/plain" name="note.txt">\nhi\n</attachment>' },
      { text: "screen.png" },
      { type: "image" },
    ],
  })
})
