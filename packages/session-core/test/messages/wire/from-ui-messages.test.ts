import type { Message, SessionEntry } from "@treelog/session-core"
import {
  fromUIMessages,
  toAnthropicMessages,
  toModelMessages,
  toOpenAIInput,
  toUIMessages,
} from "@treelog/session-core/messages"
import { expect, test } from "vitest"
import { user } from "../histories.js"

const OPTIONS = { provider: "openai", model: "gpt-5.5", timestamp: 1 }
const tool = (fields: object) => ({ type: "tool-rm", toolCallId: "c1", input: { path: "/" }, ...fields })
const answered = (...parts: { type: string }[]) =>
  fromUIMessages([{ id: "a", role: "assistant", parts: [{ type: "step-start" }, ...parts] }], OPTIONS)

test.each([
  [{ state: "output-denied", approval: { id: "x", approved: false, reason: "Not this one." } }, "Not this one."],
  [{ state: "output-denied", approval: { id: "x", approved: false } }, "denied"],
  [{ state: "approval-responded", approval: { id: "x", approved: false, reason: "Not this one." } }, "Not this one."],
])("a call that the user denied has the denial as its result, in every form: %j", (fields, said) => {
  const messages = [user(), ...answered(tool(fields)), user()]
  expect(messages[2]).toMatchObject({ role: "toolResult", toolCallId: "c1", isError: true })
  for (const form of [toModelMessages, toOpenAIInput, toAnthropicMessages]) {
    const request = JSON.stringify(form(messages))
    expect(request).toContain(said)
    expect(request).toContain("denied")
    expect(request).not.toContain("interrupted")
  }
})

test.each([{ state: "approval-requested" }, { state: "approval-responded", approval: { id: "x", approved: true } }])(
  "a call that nobody denied has no result yet: %j",
  (fields) => {
    expect(answered(tool(fields)).map(({ role }) => role)).toEqual(["assistant"])
  },
)

test.each([
  ["aborted", [{ type: "text", text: "Part", state: "streaming" }], {}],
  ["aborted", [{ type: "reasoning", text: "", state: "streaming" }], {}],
  ["aborted", [tool({ state: "input-streaming" })], {}],
  ["aborted", [{ type: "text", text: "Whole", state: "done" }], { stopReason: "aborted" }],
  ["length", [{ type: "text", text: "Whole", state: "done" }], { stopReason: "length" }],
  ["stop", [{ type: "text", text: "Whole", state: "done" }], {}],
  ["toolUse", [tool({ state: "output-available", output: "ok" })], {}],
])("an answer ends with %s: %j %j", (stopReason, parts, options) => {
  const first = { type: "text", text: "First.", state: "done" }
  const step = { type: "step-start" }
  const message = { id: "a", role: "assistant" as const, parts: [step, first, step, ...(parts as { type: string }[])] }
  const answers = fromUIMessages([message], { ...OPTIONS, ...options }).filter(({ role }) => role === "assistant")
  expect(answers).toMatchObject([{ stopReason: "stop" }, { stopReason }])
})

test("a call and a text of Gemini's keep their signatures, without which Gemini 3 rejects the call", () => {
  const metadata = { google: { thoughtSignature: "c2ln" } }
  const call = tool({ state: "output-available", output: "ok", callProviderMetadata: metadata })
  const parts = [
    { type: "step-start" },
    call,
    { type: "step-start" },
    { type: "text", text: "Done.", providerMetadata: metadata },
  ]
  const options = { provider: "google", model: "gemini-3-pro", timestamp: 1 }
  const messages = fromUIMessages([{ id: "a", role: "assistant", parts }], options)
  expect(messages).toMatchObject([
    { content: [{ type: "toolCall", thoughtSignature: "c2ln" }] },
    { role: "toolResult" },
    { content: [{ type: "text", textSignature: "c2ln" }] },
  ])
  const answers = toModelMessages(messages).filter(({ role }) => role === "assistant")
  expect(answers).toMatchObject([
    { content: [{ type: "tool-call", providerOptions: metadata }] },
    { content: [{ type: "text", text: "Done.", providerOptions: metadata }] },
  ])
  // As any program stored them, which knows nothing of the user interface.
  const bare = JSON.parse(JSON.stringify(messages), (key, value) => (key === "ui" ? undefined : value)) as Message[]
  const entries = bare.map((message, at) => ({ type: "message", id: `e${at}`, parentId: null, timestamp: "", message }))
  expect(toUIMessages(entries as SessionEntry[])[0]?.parts).toMatchObject(parts)
})

test("what a provider that is not known here said of a part goes back to it, and no id of OpenAI's alone", () => {
  const details = { openrouter: { reasoning_details: [{ type: "reasoning.encrypted", data: "c2Vj" }] } }
  const call = tool({ state: "output-available", output: "ok", callProviderMetadata: details })
  const reasoning = { type: "reasoning", text: "Hm", providerMetadata: details }
  const stored = { type: "text", text: "So.", providerMetadata: { openai: { itemId: "msg_1" } } }
  const [reply] = toModelMessages(answered(reasoning, stored, call)).filter(({ role }) => role === "assistant")
  expect(reply?.content).toEqual([
    { type: "reasoning", text: "Hm", providerOptions: details },
    { type: "text", text: "So." },
    { type: "tool-call", toolCallId: "c1", toolName: "rm", input: { path: "/" }, providerOptions: details },
  ])
})

test("a call that the user approved, and that did not run, goes to the AI SDK with the approval", () => {
  const approved = tool({ state: "approval-responded", approval: { id: "x", approved: true, reason: "Go on." } })
  const ran = tool({ toolCallId: "c 2", state: "output-available", output: "ok" })
  const asked = { type: "text", text: "I ask." }
  const history = [user(), ...answered(asked, approved, ran)]
  for (const repair of [true, false])
    expect(toModelMessages(history, { repair }).slice(1)).toMatchObject([
      {
        content: [
          { type: "text" },
          { type: "tool-call", toolCallId: "c1" },
          { type: "tool-call", toolCallId: "c_2" },
          { type: "tool-approval-request", approvalId: "x", toolCallId: "c1" },
        ],
      },
      {
        role: "tool",
        content: [
          { type: "tool-result", toolCallId: "c_2" },
          { type: "tool-approval-response", approvalId: "x", approved: true, reason: "Go on." },
        ],
      },
    ])
  // What follows the call shows that it was not run.
  expect(JSON.stringify(toModelMessages([...history, user()]))).not.toContain("approval")
  expect(JSON.stringify(toOpenAIInput(history))).toContain("interrupted")
})

test("a call that did not fit its tool has what the model called it with", () => {
  const failed = { state: "output-error", input: undefined, rawInput: { paths: "/" }, errorText: "Invalid input" }
  const [reply, outcome] = toModelMessages([user(), ...answered(tool(failed))]).slice(1)
  expect([reply, outcome]).toMatchObject([
    { content: [{ type: "tool-call", input: { paths: "/" } }] },
    { content: [{ output: { type: "error-text", value: "Invalid input" } }] },
  ])
})

test("what the user said while the answer came is a message of its own", () => {
  const parts = [
    { type: "text", text: "I look." },
    { type: "steering-message", id: "s", parts: [{ type: "text", text: "Look at b.ts, too." }] },
    { type: "text", text: "Both." },
  ]
  const options = { provider: "openai", model: "gpt-5.5", timestamp: 1, stopReason: "length" as const }
  const messages = fromUIMessages([{ id: "a", role: "assistant", parts }], options)
  expect(messages).toMatchObject([
    { role: "assistant", stopReason: "stop" },
    { role: "user", content: [{ type: "text", text: "Look at b.ts, too." }] },
    { role: "assistant", stopReason: "length" },
  ])
  expect(toOpenAIInput([user(), ...messages]).slice(1)).toMatchObject([
    { role: "assistant", content: "I look." },
    { role: "user", content: [{ text: "Look at b.ts, too." }] },
    { role: "assistant", content: "Both." },
  ])
})

test("what a provider ran by itself goes back to it with its result, and to another as a call like others", () => {
  const id = `ws_${"0".repeat(50)}`
  const ran = { toolCallId: id, state: "output-available", output: [{ url: "u" }], providerExecuted: true }
  const said = { type: "text", text: "Found." }
  const history = [user(), ...answered(tool(ran), said, tool({})), user()]
  const call = { type: "tool-call", toolCallId: id, toolName: "rm", input: { path: "/" }, providerExecuted: true }
  const output = { type: "json", value: [{ url: "u" }] }
  for (const target of [undefined, { provider: "openai", model: "gpt-5.5" }]) {
    const [reply, interrupted] = toModelMessages(history, { target }).slice(1)
    expect(reply?.content).toEqual([
      call,
      { type: "tool-result", toolCallId: id, toolName: "rm", output },
      { type: "text", text: "Found." },
      expect.objectContaining({ type: "tool-call", toolCallId: "c1" }),
    ])
    expect(interrupted).toMatchObject({ role: "tool", content: [{ toolCallId: "c1" }] })
  }
  const other = toModelMessages(history, { target: { provider: "anthropic" } })
  expect(JSON.stringify(other)).not.toContain("providerExecuted")
  expect(other[2]).toMatchObject({ role: "tool", content: [{ type: "tool-result", toolCallId: id.slice(0, 40) }, {}] })
})
