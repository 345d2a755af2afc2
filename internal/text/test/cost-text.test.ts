import type { Cost } from "@treelog/session-core/search"
import { costNotes, costText, tokensText } from "@treelog-internal/text"
import { describe, expect, test } from "vitest"

const cost = (more: Partial<Cost>): Cost => ({
  reported: 0,
  estimated: 0,
  unpriced: { models: [], tokens: 0 },
  free: [],
  ...more,
})
const unpriced = { models: ["acme/one"], tokens: 12_300_000 }

describe("costText", () => {
  test.each<[string, Cost, string]>([
    ["a reported cost", cost({ reported: 1234.5 }), "$1,234.50"],
    ["less than a cent, which is not nothing", cost({ reported: 0.004 }), "<$0.01"],
    ["an estimate", cost({ estimated: 1.238 }), "~$1.24"],
    ["a sum of both", cost({ reported: 1, estimated: 0.5 }), "~$1.50"],
    ["a sum that lacks what has no price", cost({ reported: 1, unpriced }), "$1.00+"],
    ["what nobody priced", cost({ unpriced }), "–"],
    ["what has no price beside what is free", cost({ unpriced, free: ["zai/glm"] }), "–"],
    ["a free model", cost({ free: ["zai/glm"] }), "$0.00"],
    ["nothing", cost({}), "$0.00"],
  ])("writes %s", (_, value, text) => {
    expect(costText(value)).toBe(text)
  })

  test("its notes say what the marks mean, and where a cost is not known", () => {
    expect(costNotes(cost({ reported: 3 }))).toEqual([])
    expect(costNotes(cost({ reported: 1, estimated: 2, unpriced, free: ["zai/glm"] }), "2026-11-10")).toEqual([
      "~ $1.00 was reported, $2.00 is estimated by list prices of 2026-11-10.",
      "No price is known for acme/one: 12.3M tokens are not in the cost.",
      "Free, or paid by a subscription: zai/glm.",
    ])
  })
})

test("tokens have one decimal from a thousand on", () => {
  expect([0, 999, 1000, 12_345, 999_949, 999_950, 12_300_000, 1e12, 9e15].map(tokensText)).toEqual([
    "0",
    "999",
    "1.0K",
    "12.3K",
    "999.9K",
    "1.0M",
    "12.3M",
    "1.0T",
    "9,000.0T",
  ])
})
