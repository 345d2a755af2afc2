import { buildSessionContext, buildTranscript, type Message, type SessionEntry } from "@treelog/session-core"
import { estimateTokens, prepareCompaction, serializeConversation } from "@treelog/session-core/compaction"
import {
  convertToLlm,
  repairContext,
  toAnthropicMessages,
  toModelMessages,
  toOpenAIInput,
  toOpenAIMessages,
} from "@treelog/session-core/messages"
import { entryFacts } from "@treelog/session-core/search"
import { describe, expect, it } from "vitest"

// System messages as pi 1.x writes them: a content, and sections that later ones change by name.

const system = (content: string, sections?: Record<string, string | null>): Message =>
  ({ role: "system", content, ...(sections && { sections }), timestamp: 1 }) as unknown as Message
const user = (content: string): Message => ({ role: "user", content, timestamp: 2 })

const first = system("", { preamble: "You are pi.", tools: "<tools>read</tools>" })
const later = system("", { tools: "<tools>bash</tools>", preamble: null })
const TEXT = "You are pi.\n\n<tools>read</tools>"
const UPDATE =
  'Updated system prompt section "tools":\n\n<tools>bash</tools>\n\nRemoved system prompt section "preamble".'

describe("sections of a system message", () => {
  it.each([
    ["Anthropic", (messages: Message[]) => toAnthropicMessages(messages, { repair: false }).system],
    ["OpenAI's responses", (messages: Message[]) => toOpenAIInput(messages, { repair: false })[0]],
    ["OpenAI's chat completions", (messages: Message[]) => toOpenAIMessages(messages, { repair: false })[0]],
    ["the AI SDK", (messages: Message[]) => toModelMessages(messages, { repair: false })[0]],
    [
      "repaired messages",
      (messages: Message[]) => toAnthropicMessages(repairContext(messages).messages, { repair: false }).system,
    ],
  ])("are text for %s, and later ones say what they change", (_, convert) => {
    expect(JSON.stringify(convert([first, user("hi")]))).toContain(JSON.stringify(TEXT).slice(1, -1))
    const all = [toAnthropicMessages, toOpenAIInput, toOpenAIMessages, toModelMessages]
    for (const one of all)
      expect(JSON.stringify(one([first, user("hi"), later]))).toContain(JSON.stringify(UPDATE).slice(1, -1))
  })

  it("follow the content, and leave a message without them as it is", () => {
    expect(convertToLlm([system("Be brief.", { cwd: "/x" })]).messages).toMatchObject([{ content: "Be brief.\n\n/x" }])
    const plain = system("Be brief.")
    expect(convertToLlm([plain]).messages[0]).toBe(plain)
  })

  it("count as tokens, with tools", () => {
    const size = estimateTokens(system("", { a: "x".repeat(400) }))
    expect(size).toBe(100)
    const tools = { ...system("", { a: "x".repeat(400) }), toolsAdded: [{ name: "y".repeat(400) }] } as Message
    expect(estimateTokens(tools)).toBeGreaterThan(200)
  })

  it("can be searched", () => {
    const entry = { type: "message", id: "a", parentId: null, timestamp: "", message: first } as SessionEntry
    expect(entryFacts(entry).texts).toEqual([{ role: "other", text: TEXT }])
  })

  it("are not part of what a compaction summarizes", () => {
    expect(serializeConversation([first, user("hi")])).toBe("[User]: hi")
  })
})

describe("system messages that a compaction keeps", () => {
  const messages = [first, user("one"), system("Also be kind.", { date: "Tuesday" }), user("two")]
  const entries = messages.map(
    (message, at): SessionEntry =>
      ({
        type: "message",
        id: `e${at}`,
        parentId: at === 0 ? null : `e${at - 1}`,
        timestamp: "",
        message,
      }) as SessionEntry,
  )
  const compaction = (fields: object): SessionEntry =>
    ({
      type: "compaction",
      id: "c",
      parentId: "e3",
      timestamp: "",
      summary: "S",
      firstKeptEntryId: "e1",
      tokensBefore: 1,
      ...fields,
    }) as unknown as SessionEntry
  const after = { type: "message", id: "z", parentId: "c", timestamp: "", message: system("New") } as SessionEntry
  const folded = system("Also be kind.", { tools: "<tools>read</tools>", date: "Tuesday" })

  it("are not given again behind that of the compaction; those after it are", () => {
    const { messages: given, entries: ids } = buildSessionContext([
      ...entries,
      compaction({ systemMessage: folded }),
      after,
    ])
    expect(given.map(({ role }) => role)).toEqual(["system", "compactionSummary", "user", "user", "system"])
    expect(ids).toEqual(["c", "c", "e1", "e3", "z"])
  })

  it("are not shown as part of the context", () => {
    const items = buildTranscript([...entries, compaction({ systemMessage: folded }), after])
    expect(items.map(({ inContext }) => inContext)).toEqual([false, true, false, true, false, true])
  })

  it("are in the system message of the next compaction once, with those after it", () => {
    const last = { type: "message", id: "y", parentId: "z", timestamp: "", message: user("three") } as SessionEntry
    const settings = { enabled: true, reserveTokens: 0, keepRecentTokens: 1 }
    const plan = prepareCompaction([...entries, compaction({ systemMessage: folded }), after, last], settings)
    expect(plan?.systemMessage).toMatchObject({ content: "Also be kind.\n\nNew", sections: { date: "Tuesday" } })
  })

  it("can be omitted by an edit, and not replaced, as in pi", () => {
    const edit = (replacement: unknown): SessionEntry =>
      ({ type: "context_edit", id: "x", parentId: "e3", timestamp: "", targetId: "e2", replacement }) as SessionEntry
    expect(buildSessionContext([...entries, edit({ content: "edited" })]).messages[2]).toEqual(messages[2])
    expect(buildSessionContext([...entries, edit(null)]).messages).toHaveLength(3)
  })
})
