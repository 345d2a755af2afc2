import type { Usage } from "@treelog/session-core"
import { countIn, type Json, usageFields } from "@treelog-internal/agent-files"

/** The counts of tokens that Codex writes. */
const FIELDS = {
  input: "input_tokens",
  /** Part of the input. */
  cached: "cached_input_tokens",
  cacheWrite: "cache_write_input_tokens",
  output: "output_tokens",
  reasoning: "reasoning_output_tokens",
  total: "total_tokens",
}
type Part = keyof typeof FIELDS

export type TokenCounts = Readonly<Record<Part, number>>

const PARTS = Object.keys(FIELDS) as Part[]

export const NO_TOKENS = countsOf(() => 0)

/** Counts as they are written; what has no parts has only its total. */
export function tokenCounts(usage: Json): TokenCounts {
  return countsOf((part) => countIn(usage, FIELDS[part]))
}

/** Counts that can be: none is less than nothing, and cached tokens are some of the input. */
function countsOf(count: (part: Part) => number): TokenCounts {
  const least = (part: Part): number => Math.max(0, count(part))
  const [input, output] = [least("input"), least("output")]
  const cached = Math.min(input, least("cached"))
  const cacheWrite = Math.min(input - cached, least("cacheWrite"))
  return { input, cached, cacheWrite, output, reasoning: least("reasoning"), total: input + output || least("total") }
}

/**
 * What was used between two totals: what they grew by. Totals that fell, or that are those of the last response alone, were begun anew:
 * what was used is then what the last response did. So it is of the first totals: they may go on from those of another file, which has them.
 * @param last of the last response, as the program says; it is not believed where the totals do not have it
 */
export function tokensBetween(before: TokenCounts, after: TokenCounts, last: TokenCounts | undefined): TokenCounts {
  if (PARTS.every((part) => after[part] === before[part])) return NO_TOKENS
  const known = last && PARTS.every((part) => last[part] <= after[part]) ? last : undefined
  if (known && (known.total === after.total || before.total === 0)) return known
  if (after.total < before.total) return known ?? after
  if (known && PARTS.some((part) => after[part] < before[part])) return known
  return countsOf((part) => after[part] - before[part])
}

/** Whether a context can have so many tokens. @param window of the model; 0 where that is not known */
export function fitsIn(window: number, tokens: number): boolean {
  return window === 0 || tokens <= window
}

/** Those that are billed other than the standard. */
const PRICED_TIERS: ReadonlySet<string> = /* @__PURE__ */ new Set(["fast", "priority", "flex"])

/** The usage of a message: what is read from the cache is no part of `input`. */
export function usageOf(counts = NO_TOKENS, tier = ""): Usage & Json {
  const { input, cached, cacheWrite, output, reasoning, total } = counts
  const serviceTier = PRICED_TIERS.has(tier) ? tier : ""
  const tokens = { input: input - cached - cacheWrite, output, cacheRead: cached, cacheWrite, serviceTier }
  return { ...usageFields(tokens, total), ...(reasoning > 0 && { reasoning }) }
}
