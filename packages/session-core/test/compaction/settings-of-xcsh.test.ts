import { shouldCompact } from "@treelog/session-core/compaction"
import { sessionStats } from "@treelog/session-core/search"
import { messageEntry } from "@treelog-internal/test-kit"
import { expect, it } from "vitest"
import { result, wild } from "../messages/histories.js"
import { givenManager } from "../session/given-manager.js"

it.each([
  ["nothing is off", {}, 183_617, true],
  ["the strategy is off", { strategy: "off" }, 1_000_000, false],
  ["the strategy is another", { strategy: "handoff" }, 183_617, true],
  ["a share of the window stays free", { reserveShare: 0.15 }, 170_000, false],
  ["more than that share is used", { reserveShare: 0.15 }, 170_001, true],
  ["the share is less than the reserve", { reserveShare: 0.01 }, 183_616, false],
])("asks for a compaction by xcsh's settings: %s", (_, settings, tokens, expected) => {
  expect(shouldCompact(tokens, { contextWindow: 200_000, settings })).toBe(expected)
})

it("asks a session by the context at its leaf, which a compaction makes small again", () => {
  const { sessions } = givenManager()
  const session = sessions.inMemory("/project")
  const asked = () => shouldCompact(session, { contextWindow: 1_000, settings: { reserveTokens: 100 } })
  session.appendMessage({ role: "user", content: "x".repeat(3_600) })
  expect(asked()).toBe(false)
  const last = session.appendMessage({ role: "user", content: "more" })
  expect(asked()).toBe(true)
  session.appendCompaction("Short.", last, 901)
  expect(asked()).toBe(false)
})

it("counts the usage in the details of a tool's result once, and premium requests where there are any", () => {
  const usage = { input: 10, output: 5, cacheRead: 0, cacheWrite: 0, cost: { total: 0.5 } }
  const entries = [
    messageEntry("a", null, wild({ ...result("c1"), details: { usage: { ...usage, premiumRequests: 2 } } })),
    messageEntry("b", "a", wild({ ...result("c2"), usage, details: { usage } })),
    messageEntry("c", "b", wild({ role: "custom", content: "x", details: { usage } })),
  ]
  const counted = { calls: 2, input: 20, output: 10, cacheRead: 0, cacheWrite: 0, totalTokens: 30, cost: 1 }
  expect(sessionStats(entries).total).toEqual({ ...counted, premiumRequests: 2 })
  expect(sessionStats(entries.slice(1)).total).not.toHaveProperty("premiumRequests")
})
