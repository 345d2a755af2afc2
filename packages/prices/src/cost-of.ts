import type { PriceList } from "./price-list.js"
import { priceOf } from "./price-of.js"
import { type ModelPrice, ratesFor, scaledPrice } from "./rates.js"

/** What a call used. Tokens, and requests; a count that is missing, negative or no number counts as 0. */
export interface CallUsage {
  /** What was not read from a cache or written to one. */
  readonly input?: number
  /** All of the output, with the reasoning. */
  readonly output?: number
  readonly cacheRead?: number
  /** All that was written to a cache, for whatever time. */
  readonly cacheWrite?: number
  /** Of `cacheWrite`, what was written for an hour. */
  readonly cacheWrite1h?: number
  /** Of `output`, what was reasoning. */
  readonly reasoning?: number
  /** Searches by the provider's own tool. */
  readonly webSearches?: number
  /** How the provider served the call: `"fast"`, `"priority"`, `"flex"`, `"batch"`, and `"us"` or `"fast-us"` in the United States alone; any other is the standard. */
  readonly serviceTier?: string
}

export interface CostOptions {
  readonly model: string
  readonly provider?: string | undefined
  /** When it was called. Milliseconds since 1970. */
  readonly at?: number | undefined
  /** A list of your own, which is used first. */
  readonly list?: PriceList | undefined
  /** For the sum of several calls: the input of one of them, cached tokens included, which decides about tiers. */
  readonly inputOfOneCall?: number | undefined
}

/** US dollars. */
export interface CallCost {
  readonly input: number
  /** Without the reasoning. */
  readonly output: number
  readonly reasoning: number
  readonly cacheRead: number
  /** For 5 minutes, and for an hour. */
  readonly cacheWrite: number
  readonly cacheWrite1h: number
  readonly webSearches: number
  readonly total: number
  readonly price: ModelPrice
}

/**
 * What a call costs; undefined where its model has no price, or none is known for its service tier or its searches.
 * The price of the model times the tokens: it is linear, so that the sum of calls with the same tier costs the sum of what they cost.
 */
export function costOf(usage: CallUsage, options: CostOptions): CallCost | undefined {
  const price = servedPrice(usage.serviceTier, options)
  if (!price) return undefined
  const [input, output, cacheRead] = [count(usage.input), count(usage.output), count(usage.cacheRead)]
  const cacheWrite = count(usage.cacheWrite)
  const longWrite = Math.min(cacheWrite, count(usage.cacheWrite1h))
  const reasoning = Math.min(output, count(usage.reasoning))
  const webSearches = count(usage.webSearches)
  if (webSearches > 0 && price.webSearch === undefined) return undefined
  const rates = ratesFor(price, options.inputOfOneCall ?? input + cacheRead + cacheWrite)
  const cost = {
    input: (input * rates.input) / MILLION,
    output: ((output - reasoning) * rates.output) / MILLION,
    reasoning: (reasoning * rates.reasoning) / MILLION,
    cacheRead: (cacheRead * rates.cacheRead) / MILLION,
    cacheWrite: ((cacheWrite - longWrite) * rates.cacheWrite) / MILLION,
    cacheWrite1h: (longWrite * rates.cacheWrite1h) / MILLION,
    webSearches: webSearches * (price.webSearch ?? 0),
  }
  return { ...cost, total: Object.values(cost).reduce((sum, part) => sum + part, 0), price }
}

const MILLION = 1_000_000

/** A service tier has a listing of its own, or a factor that its provider publishes. */
function servedPrice(serviceTier: string | undefined, options: CostOptions): ModelPrice | undefined {
  const { model, provider, at, list } = options
  const base = priceOf(model, provider, at, { list })
  const [, tier = "", region] = /^(.*?)-?(\bus)?$/.exec(serviceTier?.toLowerCase() ?? "") ?? []
  const price = base && tierPrice(base, tier, options)
  const isDearer = region !== undefined && base?.provider === "anthropic" && base.source === "table"
  return price && isDearer ? scaledPrice(price, IN_THE_US) : price
}

function tierPrice(base: ModelPrice, tier: string, { at, list }: CostOptions): ModelPrice | undefined {
  if (!["fast", "priority", "flex", "batch"].includes(tier)) return base
  const factor = factorOf(base, tier)
  if (factor !== undefined) return scaledPrice(base, factor)
  const name = base.model.slice(base.model.lastIndexOf("/") + 1)
  return priceOf(`${name}-${tier}`, undefined, at, { list })
}

/** What Anthropic asks for a call that stays in the United States, as Claude Code adds it. */
const IN_THE_US = 1.1

/** Of OpenAI as pi applies it; of Claude Opus as Claude Code does; of a batch as both publish it. */
function factorOf({ provider, model }: ModelPrice, tier: string): number | undefined {
  if (tier === "fast" && provider === "anthropic" && /^claude-opus-4[.-][67]\b/.test(model)) return 6
  const isOpenAi = ["openai", "openai-codex", "azure"].includes(provider)
  if (tier === "batch" && (isOpenAi || provider === "anthropic")) return 0.5
  if (!isOpenAi) return undefined
  if (tier === "flex") return 0.5
  return tier === "batch" ? undefined : model === "gpt-5.5" ? 2.5 : 2
}

function count(value: unknown): number {
  return typeof value === "number" && Number.isFinite(value) && value > 0 ? value : 0
}
