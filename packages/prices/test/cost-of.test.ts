import { costOf, priceList } from "@treelog/prices"
import { describe, expect, test } from "vitest"

const total = (usage: Parameters<typeof costOf>[0], model: string, provider?: string) =>
  costOf(usage, { model, provider })?.total

describe("costOf", () => {
  test("multiplies each kind of token by its rate", () => {
    const usage = {
      input: 1e6,
      output: 1e6,
      cacheRead: 1e6,
      cacheWrite: 2e6,
      cacheWrite1h: 1e6,
      reasoning: 4e5,
      webSearches: 3,
    }
    expect(costOf(usage, { model: "claude-opus-5" })).toMatchObject({
      input: 5,
      output: 15,
      reasoning: 10,
      cacheRead: 0.5,
      cacheWrite: 6.25,
      cacheWrite1h: 10,
      webSearches: 0.03,
      total: 46.78,
    })
  })

  test("takes the tier of the input, cached tokens included", () => {
    expect(total({ input: 72_000, cacheRead: 200_000 }, "gpt-5.5")).toBeCloseTo(0.46, 10)
    expect(total({ input: 72_001, cacheRead: 200_000 }, "gpt-5.5")).toBeCloseTo(0.92001, 10)
    expect(costOf({ input: 1e6 }, { model: "gpt-5.5", inputOfOneCall: 1000 })?.total).toBe(5)
  })

  test.each([
    ["fast, as it is listed", "fast", "claude-opus-5", 10],
    ["fast, at OpenAI's factor", "fast", "gpt-5.5", 25],
    ["flex", "flex", "gpt-5", 0.625],
    ["a batch", "batch", "claude-opus-5", 2.5],
    ["the standard", "standard", "claude-opus-5", 5],
    ["fast where nobody lists it", "fast", "claude-sonnet-5", undefined],
    ["fast, at Claude Code's factor", "fast", "claude-opus-4-6", 30],
    ["what stays in the United States", "us", "claude-opus-5", 5.5],
    ["what is fast and stays there", "fast-us", "claude-opus-5", 11],
    ["what stays there at another provider", "us", "gpt-5", 1.25],
  ])("prices %s", (_, serviceTier, model, expected) => {
    const cost = total({ input: 1e6, serviceTier }, model)
    if (expected === undefined) expect(cost).toBeUndefined()
    else expect(cost).toBeCloseTo(expected, 10)
  })

  test("counts a missing, negative or impossible count as 0, and a part as at most the whole", () => {
    expect(total({}, "claude-opus-5")).toBe(0)
    expect(
      total(
        { input: -5, output: Number.NaN, cacheRead: "9" as never, cacheWrite: Number.POSITIVE_INFINITY },
        "claude-opus-5",
      ),
    ).toBe(0)
    expect(total({ output: 1e6, reasoning: 9e6, cacheWrite1h: 9e6 }, "claude-opus-5")).toBe(25)
    expect(total({ input: 1e12 }, "claude-opus-5")).toBe(5e6)
  })

  test("has no cost for searches whose price is not known", () => {
    expect(total({ input: 1, webSearches: 1 }, "qwen3.8-max", "qwen-token-plan")).toBeUndefined()
  })

  test("asks a list of your own first, at the time of the call", () => {
    const list = priceList({
      models: [
        { model: "claude-opus-5", provider: "anthropic", input: 3, output: 9 },
        { model: "Acme-1", input: 1, output: 4, tiers: [{ above: 1000, input: 2, output: 8 }] },
        { model: "acme-1", input: 10, output: 40, from: "2026-03-01" },
      ],
    })
    const cost = (model: string, input: number, at: string, provider?: string) =>
      costOf({ input }, { model, provider, list, at: Date.parse(at) })?.total
    expect(cost("claude-opus-5", 1e6, "2026-01-01", "anthropic")).toBe(3)
    expect(cost("claude-opus-5", 1e6, "2020-01-01", "openrouter")).toBe(5)
    expect(cost("gateway/acme-1", 1e3, "2026-02-28")).toBe(0.001)
    expect(cost("gateway/acme-1", 2e3, "2026-02-28")).toBe(0.004)
    expect(cost("gateway/acme-1", 1e3, "2026-03-01")).toBe(0.01)
  })

  test.each([
    [[], 'A price list is an object with a list "models".'],
    [{ models: [{ model: "a", input: 1 }] }, "models[0].output is not a number of 0 or more."],
    [{ models: [{ model: "a", input: -1, output: 1 }] }, "models[0].input is not a number of 0 or more."],
    [
      { models: [{ model: "a", input: 1, output: 1, tiers: [{ input: 1, output: 1 }] }] },
      "models[0].tiers[0].above is not a number of 0 or more.",
    ],
    [{ models: [{ model: "a", input: 1, output: 1, cacheread: 1 }] }, "models[0].cacheread is not known."],
    [
      { models: [{ model: "a", input: 1, output: 1, from: "soon" }] },
      "models[0].from is not a date such as 2026-03-01.",
    ],
  ])("refuses the list %j", (value, message) => {
    expect(() => priceList(value)).toThrow(message)
  })
})
