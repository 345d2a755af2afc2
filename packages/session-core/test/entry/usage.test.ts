import type { SessionEntry } from "@treelog/session-core"
import { addUsages, type ModelUsage, sumOfUsages, usagesOf } from "@treelog/session-core/search"
import { expect, test } from "vitest"

function call(input: number, cost: number): SessionEntry {
  const usage = { input, totalTokens: input, serviceTier: "priority", cost: { total: cost } }
  return { type: "message", id: "a", parentId: null, timestamp: "", message: { role: "assistant", usage } } as never
}

test("sums calls whatever the size of their input where a cost was reported, and apart where the size decides about an estimate", () => {
  const sums: ModelUsage[] = []
  for (const input of [1, 40_000, 300_000]) for (const cost of [0, 0.5]) addUsages(sums, usagesOf(call(input, cost)))
  expect(sums.map(({ inputAbove, serviceTier, usage }) => [inputAbove, serviceTier, usage.calls, usage.cost])).toEqual([
    [undefined, "priority", 1, 0],
    [undefined, undefined, 3, 1.5],
    [32_000, "priority", 1, 0],
    [272_000, "priority", 1, 0],
  ])
})

test("adds every count to a sum, and those that few programs report only where one did", () => {
  const counts = { calls: 1, input: 2, output: 3, cacheRead: 4, cacheWrite: 5, totalTokens: 14, cost: 0.5 }
  const rare = { cacheWrite1h: 1, reasoning: 2, webSearches: 3, premiumRequests: 4 }
  expect(sumOfUsages([{ usage: counts }])).toEqual(counts)
  expect(sumOfUsages([{ usage: counts }, { usage: { ...sumOfUsages([]), ...rare } }])).toEqual({ ...counts, ...rare })
})

test("counts no usage of replies that omp imported of Claude Code, which counts them itself", () => {
  const imported = (id: string) => usagesOf({ ...call(7, 0), id } as SessionEntry).length
  expect(imported("claude-11111111-1111-4111-8111-111111111111-message-2")).toBe(0)
  expect(imported("claude-line-4-message-2")).toBe(0)
  expect(imported("0a1b2c3d")).toBe(1)
})

test("knows what omp wrote to a cache for an hour", () => {
  const usage = { input: 1, cacheWrite: 30, totalTokens: 31, cttl: { ephemeral5m: 10, ephemeral1h: 20 } }
  const entry = { type: "message", id: "a", message: { role: "assistant", usage } } as unknown as SessionEntry
  expect(usagesOf(entry).map((one) => one.usage.cacheWrite1h)).toEqual([20])
})
