import type { SessionEntry } from "@treelog/session-core"
import { toUIMessages } from "@treelog/session-core/messages"
import { expect, test } from "vitest"

let count = 0
function entry(fields: object): SessionEntry {
  return { id: `e${count++}`, parentId: null, timestamp: "2026-11-23T10:00:00.000Z", ...fields } as SessionEntry
}
const message = (fields: object) => entry({ type: "message", message: { timestamp: 1, ...fields } })
const answer = (...content: object[]) => message({ role: "assistant", provider: "anthropic", model: "m", content })
const call = (id: string) => ({ type: "toolCall", id, name: "read", arguments: { path: "a.ts" } })
const result = (id: string, fields: object) =>
  message({ role: "toolResult", toolCallId: id, toolName: "read", ...fields })
const text = (said: string) => ({ type: "text", text: said })

test("everything between two prompts is one message, with each result in its call", () => {
  count = 0
  const path = [
    message({ role: "user", content: "Read it" }),
    answer({ type: "thinking", thinking: "Hm", thinkingSignature: "sig" }, call("1"), call("2")),
    result("2", { content: [text("second")] }),
    result("1", { content: [text("no such file")], isError: true }),
    answer(text("Done.")),
    message({ role: "user", content: [text("Thanks"), { type: "image", mimeType: "image/png", data: "AAAA" }] }),
  ]
  const input = { path: "a.ts" }
  expect(toUIMessages(path)).toEqual([
    { id: "e0", role: "user", parts: [text("Read it")] },
    {
      id: "e1",
      role: "assistant",
      parts: [
        { type: "step-start" },
        { type: "reasoning", text: "Hm", providerMetadata: { anthropic: { signature: "sig" } } },
        { type: "tool-read", toolCallId: "1", input, state: "output-error", errorText: "no such file" },
        { type: "tool-read", toolCallId: "2", input, state: "output-available", output: "second" },
        { type: "step-start" },
        text("Done."),
      ],
    },
    {
      id: "e5",
      role: "user",
      parts: [text("Thanks"), { type: "file", mediaType: "image/png", url: "data:image/png;base64,AAAA" }],
    },
  ])
})

test("a call without a result waits for it, and a result without its call is shown all the same", () => {
  count = 0
  const image = { type: "image", mimeType: "image/png", data: "AAAA" }
  const [waiting, orphan] = [answer(call("1")), result("other", { content: [image] })]
  expect(toUIMessages([waiting, orphan]).flatMap(({ parts }) => parts)).toEqual([
    { type: "step-start" },
    { type: "tool-read", toolCallId: "1", input: { path: "a.ts" }, state: "input-available" },
    { type: "tool-read", toolCallId: "other", input: {}, state: "output-available", output: [image] },
  ])
})

test("compactions, settings, and messages that are not for display give nothing", () => {
  count = 0
  const hidden = { type: "custom_message", customType: "memory", content: "secret" }
  const path = [
    entry({ type: "model_change", provider: "anthropic", modelId: "m" }),
    entry({ ...hidden, display: false }),
    entry({ ...hidden, content: "shown", display: true }),
    entry({ type: "compaction", summary: "All so far", tokensBefore: 1 }),
  ]
  expect(toUIMessages(path)).toEqual([{ id: "e2", role: "user", parts: [text("shown")] }])
})
