import type { SessionEntry } from "@treelog/session-core"
import { expect, test } from "vitest"
import { entryText, messageLines } from "./door.js"

test("A call has its tool once, and a result says that it failed.", () => {
  const call = { type: "toolCall" as const, id: "c", name: "bash", arguments: { command: "npm test" } }
  const answer = { role: "assistant" as const, content: [call], timestamp: 0 }
  expect(messageLines(answer as Parameters<typeof messageLines>[0]).text).toBe("[toolCall bash]\nnpm test")
  const result = { role: "toolResult", toolCallId: "c", toolName: "bash", isError: true, content: "1 failed" }
  expect(messageLines(result as unknown as Parameters<typeof messageLines>[0]).text).toBe(
    "[toolResult bash failed]\n1 failed",
  )
})

test("An entry has its time, and none where it is that of 1970, which stands for no time.", () => {
  const entry = { type: "message", id: "a", parentId: null, message: { role: "user", content: "Why?", timestamp: 0 } }
  const headOf = (timestamp: string) => entryText({ ...entry, timestamp } as SessionEntry).split("\n")[0]
  expect(headOf("2026-11-26T12:00:00.000Z")).toBe("[user, entry a, 2026-11-26T12:00]")
  expect(headOf("1970-01-01T00:00:00.000Z")).toBe("[user, entry a]")
})
