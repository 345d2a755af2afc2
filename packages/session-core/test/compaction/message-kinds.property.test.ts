import type { Message, SessionEntry } from "@treelog/session-core"
import {
  compactionRequests,
  estimateTokens,
  prepareCompaction,
  serializeConversation,
} from "@treelog/session-core/compaction"
import {
  convertToLlm,
  repairContext,
  toAnthropicMessages,
  toModelMessages,
  toOpenAIInput,
  toOpenAIMessages,
} from "@treelog/session-core/messages"
import { messageEntry } from "@treelog-internal/test-kit"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { wild } from "../messages/histories.js"

const at = { timestamp: 1_772_892_000_000 }

/** A message of each kind that a model gets, and the texts in it. */
const KINDS: Readonly<Record<string, (...texts: [string, string]) => Message>> = {
  user: (a, b) => ({ role: "user", content: `${a} ${b}`, ...at }),
  "user, in blocks": (a, b) => ({
    role: "user",
    content: [
      { type: "text", text: a },
      { type: "text", text: b },
    ],
    ...at,
  }),
  assistant: (a, b) => ({
    role: "assistant",
    content: [
      { type: "thinking", thinking: a },
      { type: "text", text: b },
    ],
    provider: "anthropic",
    model: "m",
    ...at,
  }),
  bashExecution: (a, b) => ({
    role: "bashExecution",
    command: a,
    output: b,
    cancelled: false,
    truncated: false,
    ...at,
  }),
  pythonExecution: (a, b) => ({
    role: "pythonExecution",
    code: a,
    output: b,
    cancelled: false,
    truncated: false,
    ...at,
  }),
  fileMention: (a, b) => ({ role: "fileMention", files: [{ path: a, content: b, lineCount: 1 }], ...at }),
  custom: (a, b) => ({ role: "custom", customType: "t", content: `${a} ${b}`, display: true, ...at }),
  hookMessage: (a, b) => ({
    role: "hookMessage",
    customType: "t",
    content: [{ type: "text", text: `${a} ${b}` }],
    display: true,
    ...at,
  }),
  branchSummary: (a, b) => ({ role: "branchSummary", summary: `${a} ${b}`, fromId: "root", ...at }),
  compactionSummary: (a, b) => ({ role: "compactionSummary", summary: `${a} ${b}`, tokensBefore: 1, ...at }),
}

const CONVERTERS: Readonly<Record<string, (messages: Message[]) => unknown>> = {
  convertToLlm: (messages) => convertToLlm(messages).messages,
  repairContext: (messages) => convertToLlm(repairContext(messages).messages).messages,
  serializeConversation,
  toAnthropicMessages,
  toOpenAIMessages,
  toOpenAIInput,
  toModelMessages,
}

const kind = fc.constantFrom(...Object.keys(KINDS))
const made = fc.array(kind, { minLength: 1, maxLength: 12 }).map((kinds) =>
  kinds.map((name, index) => {
    const texts: [string, string] = [`<first ${index}>`, `<second ${index}>`]
    return { texts, message: KINDS[name]?.(...texts) as Message }
  }),
)

describe("every kind of message that a model gets", () => {
  it.each(Object.keys(CONVERTERS))("keeps its texts: %s", (name) => {
    fc.assert(
      fc.property(made, (all) => {
        const messages = [...all.map(({ message }) => message), wild({ role: "user", content: "Go on.", ...at })]
        const sent = JSON.stringify(CONVERTERS[name]?.(messages))
        const missing = all.flatMap(({ texts }) => texts).filter((text) => !sent.includes(text))
        // Thinking without a signature is not sent to every provider.
        expect(missing.filter((text) => !isThinking(all, text))).toEqual([])
      }),
    )
  })

  it("counts, and is not reported as unknown", () => {
    fc.assert(
      fc.property(made, (all) => {
        const messages = all.map(({ message }) => message)
        expect(convertToLlm(messages).diagnostics).toEqual([])
        for (const { message, texts } of all)
          expect(estimateTokens(message)).toBeGreaterThanOrEqual(Math.ceil(texts.join("").length / 4))
      }),
    )
  })

  it("is in the prompt of a compaction that cuts it away, or is kept", () => {
    fc.assert(
      fc.property(made, fc.integer({ min: 1, max: 60 }), (all, keepRecentTokens) => {
        const path = all.map(
          ({ message }, index): SessionEntry =>
            messageEntry(`e${index}`, index === 0 ? null : `e${index - 1}`, message),
        )
        const plan = prepareCompaction(path, { enabled: true, reserveTokens: 0, keepRecentTokens })
        if (plan === undefined) return
        const first = path.findIndex(({ id }) => id === plan.firstKeptEntryId)
        const { history, turnPrefix } = compactionRequests(plan)
        const prompt = JSON.stringify([history, turnPrefix])
        const cut = all.slice(0, first === -1 ? all.length : first).flatMap(({ texts }) => texts)
        expect(cut.filter((text) => !prompt.includes(text))).toEqual([])
      }),
    )
  })
})

function isThinking(all: readonly { message: Message; texts: readonly string[] }[], text: string): boolean {
  return all.some(({ message, texts }) => message.role === "assistant" && texts[0] === text)
}
