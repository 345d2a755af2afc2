import { expect, test } from "vitest"
import { addUsages, type ModelUsage, usagesOf } from "../../src/entry/usage.js"
import type { SessionEntry } from "../../src/index.js"

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
