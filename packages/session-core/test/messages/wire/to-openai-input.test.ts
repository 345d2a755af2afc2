import type { Message } from "@treelog/session-core"
import { fromUIMessages, type OpenAIInputItem, toModelMessages, toOpenAIInput } from "@treelog/session-core/messages"
import { TEST_START } from "@treelog-internal/test-kit"
import { expect, it } from "vitest"
import { answer, PIXEL, result, text, thinking, user } from "../histories.js"
import { openAIInputFaults } from "../provider-rules/openai-rules.js"
import { HISTORY } from "./history.js"

const shown = { type: "input_image", detail: "auto", image_url: `data:image/png;base64,${PIXEL}` }
const said = (words: string) => ({ type: "input_text", text: words })

it("is as OpenAI's Responses API takes it", () => {
  const input = toOpenAIInput(HISTORY, { repair: false })
  expect(input).toEqual([
    { role: "system", content: "Be brief." },
    { role: "developer", content: "Be exact." },
    { role: "user", content: [said("Look.")] },
    { role: "user", content: [said("Ran `ls`\n```\na.ts\n```")] },
    { role: "assistant", content: "<thinking>\nFirst a.\n</thinking>" },
    { role: "assistant", content: "I look." },
    { type: "function_call", call_id: "toolu_1", name: "read", arguments: '{"path":"a.ts"}' },
    { type: "function_call", call_id: "toolu_2", name: "mcp_db_query", arguments: '{"sql":"select 1"}' },
    { type: "function_call_output", call_id: "toolu_2", output: "no table" },
    { type: "function_call_output", call_id: "toolu_1", output: [said("See"), shown] },
    { role: "user", content: [said("And this?"), shown] },
    { type: "reasoning", id: "rs_1", summary: [{ type: "summary_text", text: "Hm" }], encrypted_content: "c2Vj" },
    { role: "assistant", content: "Ok." },
    { type: "function_call", call_id: "call_1", name: "read", arguments: '{"path":"a.ts"}' },
    { type: "function_call_output", call_id: "call_1", output: "(no output)" },
    { role: "developer", content: "Now stop." },
    { role: "assistant", content: "<thinking>\nYes\n</thinking>" },
    { role: "assistant", content: "Done.\n" },
  ])
  expect(openAIInputFaults(input)).toEqual([])
})

it.each([
  "{",
  "c2ln",
  '{"type":"message","id":"m"}',
  '{"type":"reasoning","id":"r"}',
  '{"type":"reasoning","id":"r","summary":[]}',
  '{"type":"reasoning","id":"r","summary":[],"encrypted_content":null}',
  '{"type":"reasoning","summary":[],"encrypted_content":""}',
  "{}",
])("has no reasoning for the signature %s", (signature) => {
  const own = { ...answer(thinking("Hm", signature), text("Ok.")), provider: "openai" }
  expect(toOpenAIInput([own], { repair: false })).toEqual([{ role: "assistant", content: "Ok." }])
})

it("has the history that the provider's own compaction left, in place of the summary", () => {
  const replacementHistory = [{ type: "compaction", encrypted_content: "c2Vj" }]
  const unsealed = { type: "reasoning", id: "rs_1", summary: [], encrypted_content: null }
  const summary = {
    role: "compactionSummary" as const,
    summary: "We built.",
    tokensBefore: 9,
    providerPayload: { provider: "openai", replacementHistory: [unsealed, ...replacementHistory] },
    timestamp: TEST_START,
  }
  const next: OpenAIInputItem = { role: "user", content: [{ type: "input_text", text: "Go on." }] }
  expect(toOpenAIInput([summary, user()], { repair: false })).toEqual([...replacementHistory, next])
  const [first] = toOpenAIInput([summary], { repair: false, target: { provider: "azure" } })
  expect(JSON.stringify(first)).toContain("We built.")
})

it("has an item of reasoning once, of which the AI SDK makes a part for each summary", () => {
  const metadata = { openai: { itemId: "rs_1", reasoningEncryptedContent: "c2Vj" } }
  const parts = ["One.", "Two."].map((text) => ({ type: "reasoning", text, providerMetadata: metadata }))
  const said = (text: string) => [{ type: "step-start" }, ...parts, { type: "text", text }]
  const options = { provider: "openai", model: "gpt-5.5", timestamp: 1 }
  const messages = fromUIMessages([{ id: "a", role: "assistant", parts: [...said("So."), ...said("Again.")] }], options)
  const items = toOpenAIInput([user(), messages[0] as Message, user(), messages[1] as Message])
  const summary = ["One.", "Two."].map((text) => ({ type: "summary_text", text }))
  expect(items.filter((item) => "type" in item)).toEqual([
    { type: "reasoning", id: "rs_1", summary, encrypted_content: "c2Vj" },
  ])
  expect(openAIInputFaults(items)).toEqual([])
})

it("says which texts are comments and which are answers, also of what a user interface stored", () => {
  const phased = (phase: string) => ({ ...text("So."), textSignature: JSON.stringify({ v: 1, id: "msg_1", phase }) })
  const own = { ...answer(phased("commentary"), phased("final_answer"), text("Plain.")), provider: "openai" }
  const items = [
    { role: "assistant", content: "So.", phase: "commentary" },
    { role: "assistant", content: "So.", phase: "final_answer" },
    { role: "assistant", content: "Plain." },
  ]
  expect(toOpenAIInput([user(), own]).slice(1)).toEqual(items)
  const other = { ...own, provider: "other" }
  expect(toOpenAIInput([user(), other]).slice(1)).toEqual(items.map(({ role, content }) => ({ role, content })))
  const metadata = { openai: { itemId: "msg_1", phase: "commentary" } }
  const parts = [{ type: "step-start" }, { type: "text", text: "So.", providerMetadata: metadata }]
  const options = { provider: "openai", model: "gpt-5.5", timestamp: 1 }
  const [said] = fromUIMessages([{ id: "a", role: "assistant", parts }], options)
  expect(toOpenAIInput([user(), said as Message]).slice(1)).toEqual(items.slice(0, 1))
  expect(toModelMessages([user(), said as Message])[1]).toMatchObject({
    content: [{ type: "text", text: "So.", providerOptions: { openai: { phase: "commentary" } } }],
  })
})

it("gives calls of custom tools and of namespaces back as they were, and reasoning without an id", () => {
  const reasoning = { type: "reasoning", summary: [], encrypted_content: "c2Vj" }
  const call = (id: string, args: Record<string, unknown>, like: object) => ({
    type: "toolCall" as const,
    id,
    name: "apply_patch",
    arguments: args,
    thoughtSignature: JSON.stringify(like),
  })
  const patch = call("c1", { input: "*** Begin Patch" }, { type: "custom_tool_call" })
  const list = call("c2", { all: true }, { type: "function_call", namespace: "mcp__files" })
  const own = { ...answer(thinking("", JSON.stringify(reasoning)), patch, list), provider: "openai" }
  expect(toOpenAIInput([own, result("c1", "ok"), result("c2", "ok")], { repair: false })).toEqual([
    reasoning,
    { type: "custom_tool_call", call_id: "c1", name: "apply_patch", input: "*** Begin Patch" },
    { type: "function_call", call_id: "c2", name: "apply_patch", arguments: '{"all":true}', namespace: "mcp__files" },
    { type: "custom_tool_call_output", call_id: "c1", output: "ok" },
    { type: "function_call_output", call_id: "c2", output: "ok" },
  ])
  const others = toOpenAIInput([own], { repair: false, target: { provider: "azure" } })
  expect(others.map((item) => ("type" in item ? item.type : item.role))).toEqual(["function_call", "function_call"])
})
