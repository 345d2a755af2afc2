import { toModelMessages } from "@treelog/session-core/messages"
import { expect, it } from "vitest"
import { answer, call, PIXEL, text, thinking, user } from "../histories.js"
import { googleFaults } from "../provider-rules/google-rules.js"
import { HISTORY } from "./history.js"

it("are as the Vercel AI SDK takes them", () => {
  const messages = toModelMessages(HISTORY, { repair: false })
  expect(messages).toEqual([
    { role: "system", content: "Be brief." },
    { role: "system", content: "Be exact." },
    { role: "user", content: [text("Look.")] },
    { role: "user", content: [text("Ran `ls`\n```\na.ts\n```")] },
    {
      role: "assistant",
      content: [
        { type: "reasoning", text: "First a.", providerOptions: { anthropic: { signature: "c2ln" } } },
        { type: "reasoning", text: "[redacted]", providerOptions: { anthropic: { redactedData: "c2Vj" } } },
        text("I look."),
        { type: "tool-call", toolCallId: "toolu_1", toolName: "read", input: { path: "a.ts" } },
        { type: "tool-call", toolCallId: "toolu_2", toolName: "mcp_db_query", input: { sql: "select 1" } },
      ],
    },
    {
      role: "tool",
      content: [
        {
          type: "tool-result",
          toolCallId: "toolu_2",
          toolName: "mcp_db_query",
          output: { type: "error-text", value: "no table" },
        },
        {
          type: "tool-result",
          toolCallId: "toolu_1",
          toolName: "read",
          output: {
            type: "content",
            value: [text("See"), { type: "image-data", data: PIXEL, mediaType: "image/png" }],
          },
        },
      ],
    },
    { role: "user", content: [text("And this?"), { type: "image", image: PIXEL, mediaType: "image/png" }] },
    {
      role: "assistant",
      content: [
        {
          type: "reasoning",
          text: "Hm",
          providerOptions: { openai: { itemId: "rs_1", reasoningEncryptedContent: "c2Vj" } },
        },
        text("Ok."),
        { type: "tool-call", toolCallId: "call_1", toolName: "read", input: { path: "a.ts" } },
      ],
    },
    {
      role: "tool",
      content: [
        {
          type: "tool-result",
          toolCallId: "call_1",
          toolName: "read",
          output: { type: "text", value: "(no output)" },
        },
      ],
    },
    { role: "user", content: [text("Now stop.")] },
    { role: "assistant", content: [{ type: "reasoning", text: "Yes" }, text("Done.\n")] },
  ])
  expect(googleFaults(messages)).toEqual([])
})

it.each([
  [{ provider: "google" }, { google: { thoughtSignature: "c2ln" } }],
  [{ provider: "mine", api: "google-vertex" }, { google: { thoughtSignature: "c2ln" } }],
  [{ provider: "mine", api: "anthropic-messages" }, { anthropic: { signature: "c2ln" } }],
  [{ provider: "mine", api: "bedrock-converse-stream" }, { bedrock: { signature: "c2ln" } }],
  [{ provider: "mine", api: "other" }, undefined],
])("give thinking of %o back with what its provider wants", (source, providerOptions) => {
  const [, message] = toModelMessages([user(), { ...answer(thinking("Hm", "c2ln"), text("Ok.")), ...source }], {
    repair: false,
  })
  const reasoning = { type: "reasoning", text: "Hm", ...(providerOptions && { providerOptions }) }
  expect(message?.content[0]).toEqual(reasoning)
})

it("give a call of Google its signature back", () => {
  const [, message] = toModelMessages([user(), answer({ ...call("a"), thoughtSignature: "c2ln" })], { repair: false })
  expect(message?.content[0]).toMatchObject({ providerOptions: { google: { thoughtSignature: "c2ln" } } })
})

it("carry thinking of others as text when a target is named", () => {
  const messages = toModelMessages(HISTORY, { repair: false, target: { provider: "google", model: "gemini-test" } })
  expect(messages[4]?.content[0]).toEqual(text("<thinking>\nFirst a.\n</thinking>"))
  expect(messages.at(-1)?.content[0]).toEqual({ type: "reasoning", text: "Yes" })
})

it("have no reasoning of OpenAI of which only the id is known, but its text", () => {
  const unsealed = JSON.stringify({ type: "reasoning", id: "rs_1", summary: [] })
  const own = { ...answer(thinking("", unsealed), thinking("Hm", unsealed), text("Ok.")), provider: "openai" }
  expect(toModelMessages([user(), own]).at(-1)).toEqual({
    role: "assistant",
    content: [{ type: "reasoning", text: "Hm" }, text("Ok.")],
  })
})
