import { expect, test } from "vitest"
import { messageLines } from "../src/entry-lines.js"

test("A call has its tool once, and a result says that it failed.", () => {
  const call = { type: "toolCall" as const, id: "c", name: "bash", arguments: { command: "npm test" } }
  const answer = { role: "assistant" as const, content: [call], timestamp: 0 }
  expect(messageLines(answer as Parameters<typeof messageLines>[0]).text).toBe("[toolCall bash]\nnpm test")
  const result = { role: "toolResult", toolCallId: "c", toolName: "bash", isError: true, content: "1 failed" }
  expect(messageLines(result as unknown as Parameters<typeof messageLines>[0]).text).toBe(
    "[toolResult bash failed]\n1 failed",
  )
})
