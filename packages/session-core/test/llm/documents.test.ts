import { describe, expect, it } from "vitest"
import {
  type Message,
  repairContext,
  type SessionEntry,
  toAnthropicMessages,
  toOpenAIInput,
  toOpenAIMessages,
} from "../../src/index.js"
import { entryFacts } from "../../src/search/entry-facts.js"

const pdf = {
  type: "document",
  source: { type: "base64", media_type: "application/pdf", data: "JVBERi0=" },
  title: "spec.pdf",
  cache_control: { type: "ephemeral" },
}
const terms = {
  type: "document",
  source: { type: "text", media_type: "text/plain", data: "The clause" },
  title: "terms.txt",
}
const ask = { type: "text", text: "Summarize" }
const prompt = { role: "user", content: [pdf, terms, ask], timestamp: 1 } as unknown as Message
const results = [
  { role: "assistant", content: [{ type: "toolCall", id: "c", name: "Read", arguments: {} }], timestamp: 2 },
  { role: "toolResult", toolCallId: "c", toolName: "Read", content: [pdf], isError: false, timestamp: 3 },
] as unknown as Message[]

describe("Documents in prompts and results", () => {
  it("are sent to Anthropic as they were", () => {
    const { messages, changes } = repairContext([prompt, ...results])
    expect(changes).toEqual([])
    const sent = toAnthropicMessages(messages).messages
    expect(sent[0]).toEqual({ role: "user", content: [pdf, terms, ask] })
    expect(sent[2]).toMatchObject({ content: [{ type: "tool_result", content: [pdf] }] })
  })

  it("are sent to other providers as their texts, or a note where they have none", () => {
    for (const sent of [toOpenAIMessages([prompt]), toOpenAIInput([prompt])]) {
      const text = JSON.stringify(sent)
      expect(text).toContain("terms.txt\\n\\nThe clause")
      expect(text).toContain("[document spec.pdf application/pdf: it is not sent to this model]")
      expect(text).not.toContain("JVBERi0=")
    }
  })

  it("are found by their titles and texts", () => {
    const entry = {
      type: "message",
      id: "a",
      parentId: null,
      timestamp: "",
      message: prompt,
    } as unknown as SessionEntry
    expect(entryFacts(entry).texts).toEqual([{ role: "user", text: "Summarize\nspec.pdf\nterms.txt\nThe clause" }])
  })
})
