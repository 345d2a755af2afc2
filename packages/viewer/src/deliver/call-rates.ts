import { parsedJson } from "@treelog/session-core/json"
import { type ModelUsage, type PriceUsage, sumOfUsages } from "@treelog/session-core/search"
import type { AlikeCalls, CallRates } from "../wire.js"
import { jsonResponse, refusal } from "./routes/respond.js"

/** What is used of each kind to ask for its rate: that of tokens for an hour, and of reasoning, is what they cost more than others. */
const PROBES = [
  { more: { input: 1 } },
  { more: { output: 1 } },
  { more: { cacheRead: 1 } },
  { more: { cacheWrite: 1 } },
  { more: { cacheWrite: 1, cacheWrite1h: 1 }, less: { cacheWrite: 1 } },
  { more: { output: 1, reasoning: 1 }, less: { output: 1 } },
  { more: { webSearches: 1 } },
] as const

/** The rates for a page, which has no prices: of each kind of calls once, without those that have no price. */
export function callRates(price: PriceUsage, usages: Iterable<AlikeCalls>): CallRates[] {
  const kinds = new Map<string, Pick<ModelUsage, keyof AlikeCalls>>()
  for (const { model, inputAbove, serviceTier } of usages) {
    const kind = { model, ...(inputAbove !== undefined && { inputAbove }), ...(serviceTier && { serviceTier }) }
    kinds.set(JSON.stringify(kind), kind)
  }
  return [...kinds.values()].flatMap((kind) => {
    const costOf = (counts: object): number | undefined => price({ ...kind, usage: { ...sumOfUsages([]), ...counts } })
    if (costOf({}) === undefined) return []
    const rates = PROBES.map((probe) => {
      const [more, less] = [costOf(probe.more), "less" in probe ? costOf(probe.less) : 0]
      return more === undefined || less === undefined ? null : more - less
    })
    return [{ ...kind, rates }]
  })
}

/** Sends the rates of the calls that `of` lists, as JSON. */
export function sendRates(price: PriceUsage | undefined, params: URLSearchParams): Response {
  const kinds = parsedJson(params.get("of") ?? "[]")
  if (!Array.isArray(kinds) || !kinds.every((one) => typeof one?.model === "string"))
    return refusal(400, "`of` is a JSON list of objects with a `model`.")
  return jsonResponse({ rates: price ? callRates(price, kinds) : [] })
}
