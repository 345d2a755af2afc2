import { costOf, type ModelUsage, type PriceUsage, sumOfUsages } from "@treelog/session-core/search"
import type { CallRates } from "@treelog/viewer"
import { expect, test } from "vitest"
import { CallPrices, sendRates } from "./door.js"

const DOLLAR = 1e-6

const price: PriceUsage = ({ model, inputAbove = 0, serviceTier, usage }) => {
  const { input, output, cacheRead, cacheWrite, cacheWrite1h = 0, reasoning = 0, webSearches = 0 } = usage
  if (model === "a/none" || (model === "a/no-search" && webSearches > 0)) return undefined
  const factor = (inputAbove > 200_000 ? 2 : 1) * (serviceTier === "fast" ? 3 : 1) * DOLLAR
  const tokens = 5 * input + 25 * (output - reasoning) + 30 * reasoning + 0.5 * cacheRead
  return factor * (tokens + 6.25 * (cacheWrite - cacheWrite1h) + 10 * cacheWrite1h) + 0.01 * webSearches
}

const counts = { input: 7, output: 50, cacheRead: 11, cacheWrite: 13, cacheWrite1h: 3, reasoning: 20, webSearches: 2 }

function usage(model: string, more: Partial<ModelUsage> = {}): ModelUsage {
  return { model, ...more, usage: { ...sumOfUsages([]), calls: 1, totalTokens: 81, ...counts } }
}

test("A page costs calls by the rates that it asks for once, as the price function does.", async () => {
  const asked: number[] = []
  let redrawn = 0
  const prices = new CallPrices(
    async (calls) => {
      asked.push(calls.length)
      const response = sendRates(price, new URLSearchParams({ of: JSON.stringify(calls) }))
      return ((await response.json()) as { rates: CallRates[] }).rates
    },
    () => redrawn++,
  )
  const usages = [
    usage("a/m"),
    usage("a/m", { inputAbove: 256_000 }),
    usage("a/m", { serviceTier: "fast" }),
    usage("a/no-search"),
    usage("a/none"),
  ]
  expect(prices.costOf(usages).unpriced.models).toEqual(["a/m", "a/no-search", "a/none"])
  await expect.poll(() => redrawn).toBe(1)
  const [cost, expected] = [prices.costOf(usages), costOf(usages, price)]
  expect(cost).toEqual({ ...expected, estimated: expect.closeTo(expected.estimated, 12) })
  expect(asked).toEqual([5])
})

test("What is no list of calls is refused, and without prices no call has a rate.", async () => {
  for (const of of ["[", "{}", '[{"model":1}]', "[null]"])
    expect(sendRates(price, new URLSearchParams({ of })).status).toBe(400)
  expect(await sendRates(undefined, new URLSearchParams({ of: '[{"model":"a/m"}]' })).json()).toEqual({ rates: [] })
})
