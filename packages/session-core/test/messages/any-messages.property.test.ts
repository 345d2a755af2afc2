import type { AssistantMessage, Message } from "@treelog/session-core"
import {
  convertThinking,
  convertToLlm,
  repairContext,
  toAnthropicMessages,
  toModelMessages,
  toOpenAIInput,
  toOpenAIMessages,
} from "@treelog/session-core/messages"
import { deepFreeze, jsonValue, message as roughMessage, tries, unknownFields } from "@treelog-internal/test-kit"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { PIXEL } from "./histories.js"
import { providerFaults } from "./provider-rules/provider-faults.js"

const RUNS = { numRuns: tries(80) }

/** What text is made of by chance, and of this one it cannot be. */
const NO_TEXT = { toString: 1 }
const id = fc.constantFrom<unknown>(
  "a",
  "b",
  "call_1|fc_1",
  "call_1|fc_2",
  "a b",
  "\ud83d",
  "",
  "x".repeat(60),
  NO_TEXT,
)
const words = fc.oneof(
  fc.constantFrom<unknown>("", " \n", "Ok.", "\ud83d", "🙂", NO_TEXT),
  fc.string({ unit: "binary", maxLength: 8 }),
)
const data = fc.constantFrom(PIXEL, "", "AA", `blob:sha256:${"1".repeat(64)}`)
const mimeType = fc.constantFrom("image/png", "image/tiff")
const name = fc.constantFrom<unknown>("read", "mcp.tool/x", "", "n".repeat(100), NO_TEXT)

const signature = fc.oneof(words, jsonValue)

const block = fc.oneof(
  fc.record({ type: fc.constant("text"), text: words, textSignature: signature }, { requiredKeys: ["type", "text"] }),
  fc.record(
    { type: fc.constant("thinking"), thinking: words, thinkingSignature: signature },
    { requiredKeys: ["type"] },
  ),
  fc.record(
    { type: fc.constant("toolCall"), id, name, arguments: jsonValue, thoughtSignature: signature },
    { requiredKeys: ["type", "id", "name"] },
  ),
  fc.record({ type: fc.constant("image"), data, mimeType }),
  fc.record({ type: fc.constantFrom("redactedThinking", "hologram"), data: words }),
  jsonValue,
)
const content = fc.oneof(words, fc.array(block, { maxLength: 4 }), fc.constant(null), jsonValue)
const role = fc.constantFrom<unknown>(
  ...["system", "developer", "user", "assistant", "assistant", "toolResult", "toolResult", "custom", "bashExecution"],
  ...["branchSummary", "compactionSummary", "oracle", "__proto__", NO_TEXT],
)
const wholeMessage = fc.record({
  role,
  content,
  provider: fc.constantFrom("anthropic", "openai"),
  api: fc.constantFrom("openai-responses", "google-vertex", 7),
  toolCallId: id,
  toolName: name,
  summary: words,
  isError: fc.boolean(),
  command: words,
  output: words,
})
const anyMessage = fc
  .tuple(fc.oneof(wholeMessage, roughMessage, fc.record({ role, content }), jsonValue), unknownFields)
  .map(([value, extra]) =>
    typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value, ...extra } : value,
  )

/** Lists such as no program should write: any fields of any type, and what is no message at all. */
const anyMessages = fc.array(anyMessage, { maxLength: 12 }).map((list) => deepFreeze(list) as unknown as Message[])
const target = fc.constantFrom({ provider: "anthropic" }, { provider: "openai", model: "gpt" })

describe("any list of messages", () => {
  it("is repaired to what every provider accepts", () => {
    fc.assert(
      fc.property(anyMessages, (messages) => {
        expect(providerFaults(repairContext(messages).messages)).toEqual({})
      }),
      RUNS,
    )
  })

  it("is repaired once and for all, before and after convertToLlm", () => {
    fc.assert(
      fc.property(anyMessages, (messages) => {
        for (const list of [messages, convertToLlm(messages).messages]) {
          const { messages: repaired } = repairContext<Message>(list)
          const again = repairContext(repaired)
          expect(again.changes).toEqual([])
          expect(again.messages).toBe(repaired)
        }
      }),
      RUNS,
    )
  })

  it("comes out the same whether it is converted or repaired first", () => {
    fc.assert(
      fc.property(anyMessages, (messages) => {
        const { messages: repaired } = repairContext(messages)
        const { messages: llm } = convertToLlm(repaired)
        expect(repairContext(llm).changes.filter(({ kind }) => kind !== "turn-removed")).toEqual([])
      }),
      RUNS,
    )
  })

  it("is never changed, and never makes a conversion throw", () => {
    fc.assert(
      fc.property(anyMessages, target, (messages, whom) => {
        const converted = convertToLlm(messages)
        const excluded = messages.filter(
          (one) =>
            one?.role === "bashExecution" && (one as Extract<Message, { role: "bashExecution" }>).excludeFromContext,
        )
        const left = converted.diagnostics.filter(({ kind }) => kind !== "unknown-block")
        expect(converted.messages.length + left.length + excluded.length).toBe(messages.length)
        for (const convert of [toAnthropicMessages, toOpenAIMessages, toOpenAIInput, toModelMessages]) {
          expect(convert(messages, { target: whom })).toBeDefined()
          expect(convert(messages, { target: whom, repair: false })).toBeDefined()
          expect(convert(convertThinking(messages, whom))).toBeDefined()
        }
      }),
      RUNS,
    )
  })

  it("has no signature of another model after convertThinking", () => {
    fc.assert(
      fc.property(anyMessages, target, (messages, whom) => {
        const answers = convertThinking(messages, whom).filter(
          (one): one is AssistantMessage => one?.role === "assistant",
        )
        const foreign = answers.filter((one) => one.provider !== whom.provider && Array.isArray(one.content))
        expect(JSON.stringify(foreign.map((one) => one.content))).not.toMatch(/"(thinking|text|thought)Signature"/)
      }),
      RUNS,
    )
  })
})
