import type { Author } from "./author.js"
import { assistantMessage, failedMessage, toolResultMessage } from "./messages.js"
import { MODELS, type Model } from "./models.js"
import type { SessionStyle } from "./session-shape.js"

/** A PNG of one pixel. */
const PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="

/** A message of every role and with every content block, as they are found, with fields that no program knows. */
export function messageKinds(author: Author): Record<string, unknown>[] {
  const { style } = author.shape
  const at = (): number => author.after(2_000)
  const [model] = MODELS as [Model]
  const answer = assistantMessage(author, model, 1)
  const call = {
    type: "toolCall",
    id: "toolu_01kinds",
    name: "read",
    arguments: { path: "src/cart/price.ts" },
  } as const
  return [
    {
      role: "system",
      content: "",
      sections: { preamble: "You are a coding assistant." },
      toolsAdded: [],
      timestamp: at(),
    },
    { role: "developer", content: "Answer briefly.", timestamp: at() },
    { role: "user", content: "A text, 一段文字 🙂", timestamp: at() },
    { role: "user", content: [{ type: "text", text: "A picture" }, imageBlock()], timestamp: at() },
    { ...answer, content: [...answerBlocks(author), call], stopReason: "toolUse" },
    toolResultMessage(author, call),
    { ...answer, content: [{ type: "text", text: "Done." }], responseId: "resp_1", stopReason: "stop" },
    failedMessage(author, model),
    bash({ exitCode: 0, cancelled: false, truncated: false }, at()),
    bash({ cancelled: true, truncated: true, fullOutputPath: "/tmp/pi-bash-1.log" }, at()),
    bash({ exitCode: 1, cancelled: false, truncated: false, excludeFromContext: true }, at()),
    hookMessage(style, at()),
    { role: "branchSummary", summary: "A branch.", fromId: "00000000", timestamp: at() },
    { role: "compactionSummary", summary: "What was.", tokensBefore: 12, timestamp: at() },
    {
      role: "pythonExecution",
      code: "1 + 1",
      output: "2",
      exitCode: 0,
      cancelled: false,
      truncated: false,
      timestamp: at(),
    },
    { role: "fileMention", files: [{ path: "README.md", content: "# Shop", lineCount: 1 }], timestamp: at() },
    { role: "futureRole", payload: { deep: [{ "": null }] }, timestamp: at() },
  ]
}

/** Messages that hold less than they should: null and missing content, no usage, no time. */
export function poorMessages(): Record<string, unknown>[] {
  return [
    { role: "user", content: null },
    { role: "assistant", content: null, provider: "anthropic", model: "claude-sonnet-4-5" },
    { role: "toolResult", toolCallId: "toolu_01kinds", toolName: "read" },
  ]
}

function answerBlocks({ text }: Author): Record<string, unknown>[] {
  return [
    { type: "thinking", thinking: "First the form.", thinkingSignature: text.base64(80) },
    { type: "redactedThinking", data: text.base64(40) },
    { type: "thinking", thinking: "", thinkingSignature: text.base64(40), redacted: true },
    { type: "text", text: "I look.", textSignature: "msg_1" },
    { type: "futureBlock", payload: [1, "two"] },
  ]
}

function imageBlock(): Record<string, unknown> {
  return { type: "image", data: PIXEL, mimeType: "image/png" }
}

function bash(end: Record<string, unknown>, timestamp: number): Record<string, unknown> {
  return { role: "bashExecution", command: "npm test", output: "2 failed", ...end, timestamp }
}

/** What hooks said: `hookMessage` before version 3, `custom` since. */
function hookMessage(style: SessionStyle, timestamp: number): Record<string, unknown> {
  const role = style === "pi-v1" ? "hookMessage" : "custom"
  return { role, customType: "lint", content: "No faults.", display: true, timestamp }
}
