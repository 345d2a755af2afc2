import type { SessionEntry } from "@treelog/session-core"
import { fromUIMessages, toUIMessages } from "@treelog/session-core/messages"
import { tries } from "@treelog-internal/test-kit"
import fc from "fast-check"
import { expect, test } from "vitest"

type UIMessageLike = Parameters<typeof fromUIMessages>[0][number]

const OPTIONS = fc.constantFrom(
  { provider: "anthropic", api: "anthropic-messages", model: "claude-test", timestamp: 1 },
  { provider: "google", model: "gemini-test", timestamp: 1 },
)

const text = fc.record(
  {
    type: fc.constant("text"),
    text: fc.string(),
    state: fc.constantFrom("done", "streaming"),
    providerMetadata: fc.constantFrom(
      { google: { thoughtSignature: "x" } },
      { openai: { itemId: "msg_1" } },
      { openai: { itemId: "msg_1", phase: "commentary" } },
      { openai: { phase: "final_answer" } },
    ),
  },
  { requiredKeys: ["type", "text"] },
)
const metadata = fc.constantFrom(
  { anthropic: { signature: "c2lnbmVk" } },
  { anthropic: { redactedData: "aGlkZGVu" } },
  { openai: { itemId: "rs_1", reasoningEncryptedContent: "eHk" } },
  { openai: { itemId: "rs_2", reasoningEncryptedContent: null } },
  { other: { anything: [1] } },
)
const reasoning = fc.record(
  { type: fc.constant("reasoning"), text: fc.string(), id: fc.string(), providerMetadata: metadata },
  { requiredKeys: ["type", "text"] },
)
const file = fc.constantFrom(
  { type: "file", mediaType: "image/png", url: "data:image/png;base64,AAAA" },
  { type: "file", mediaType: "image/png", url: "data:image/png;base64,AAAA", filename: "a.png" },
  { type: "file", mediaType: "image/png", url: "https://example.com/a.png" },
  { type: "file", mediaType: "application/pdf", url: "data:application/pdf;base64,AAAA" },
)
const other = fc.constantFrom(
  { type: "source-url", sourceId: "1", url: "https://example.com" },
  { type: "data-weather", id: "w", data: { degrees: 21 } },
  { type: "image", text: "a type that means something else here" },
)
const toolOutcome = fc.oneof(
  fc.record({ state: fc.constant("output-available"), output: fc.jsonValue() }),
  fc.record({ state: fc.constant("output-error"), errorText: fc.string() }),
  fc.record({ state: fc.constantFrom("input-available", "input-streaming") }),
  fc.constant({ state: "approval-requested", approval: { id: "a" } }),
  fc.constant({ state: "approval-responded", approval: { id: "a", approved: false } }),
  fc.constant({ state: "approval-responded", approval: { id: "a", approved: true } }),
  fc.constant({ state: "output-denied", approval: { id: "a", approved: false, reason: "no" } }),
)
const tool = fc
  .record({
    head: fc.constantFrom({ type: "tool-read" }, { type: "dynamic-tool", toolName: "read" }),
    input: fc.oneof(fc.dictionary(fc.string(), fc.jsonValue()), fc.jsonValue()),
    extra: fc.constantFrom(
      {},
      { providerExecuted: true },
      { callProviderMetadata: { google: { thoughtSignature: "x" } } },
      { callProviderMetadata: { vertex: { thoughtSignature: "x", more: 1 } } },
    ),
    outcome: toolOutcome,
  })
  .map(({ head, input, extra, outcome }) => ({ ...head, input, ...extra, ...outcome }))

const steering = fc.record({
  type: fc.constant("steering-message"),
  id: fc.string(),
  parts: fc.array(fc.oneof(text, file), { maxLength: 3 }),
})

const answerParts = fc
  .array(fc.oneof(text, reasoning, file, other, tool, steering, fc.constant({ type: "step-start" })), { maxLength: 12 })
  .map((parts) => parts.map((part, index) => ("input" in part ? { ...part, toolCallId: `call_${index}` } : part)))

const conversations = fc
  .array(
    fc.oneof(
      fc.record({ role: fc.constantFrom("user", "system"), parts: fc.array(fc.oneof(text, file, other)) }),
      fc.record(
        { role: fc.constant("assistant"), parts: answerParts, metadata: fc.jsonValue() },
        { requiredKeys: ["role", "parts"] },
      ),
    ),
  )
  .map((messages) => messages.map((message, index) => ({ ...message, id: `msg-${index}` })) as UIMessageLike[])

/** The messages as entries of one path, after a round trip through JSON as a file gives them. */
function stored(messages: readonly object[]): SessionEntry[] {
  return messages.map((message, index) => {
    const [id, parentId] = [`e${index}`, index === 0 ? null : `e${index - 1}`]
    const entry = { type: "message", id, parentId, timestamp: "2026-11-23T10:00:00.000Z", message }
    return JSON.parse(JSON.stringify(entry))
  })
}

test("messages of a user interface that were stored come back equal", () => {
  fc.assert(
    fc.property(conversations, OPTIONS, (messages, options) => {
      const plain = JSON.parse(JSON.stringify(messages))
      expect(toUIMessages(stored(fromUIMessages(plain, options)))).toEqual(plain)
    }),
    { numRuns: tries(150) },
  )
})
