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

/** So many totals are kept: two processes that resumed one thread write theirs between each other's. */
const MOST_TOTALS = 16

/** The last totals, with one more. */
export function withTotal(totals: readonly TokenCounts[], total: TokenCounts): readonly TokenCounts[] {
  // Less than nothing was used by none.
  return total.total > 0 ? [...totals, total].slice(-MOST_TOTALS) : totals
}

/**
 * What was used before a total: the last response, where one of the totals before grew by it, or else what the last of them grew by. Totals that fell,
 * or that are those of the last response alone, were begun anew: what was used is then what the last response did. So it is of the first totals: they
 * may go on from those of another file, which has them.
 * @param last of the last response, as the program says; it is not believed where the totals do not have it
 */
export function tokensUsed(
  totals: readonly TokenCounts[],
  after: TokenCounts,
  last: TokenCounts | undefined,
): TokenCounts {
  const before = totals.at(-1) ?? NO_TOKENS
  const known = last && PARTS.every((part) => last[part] <= after[part]) ? last : undefined
  const isAnew = known !== undefined && known.total === after.total
  if (isSame(before, after) || (!isAnew && totals.some((total) => isSame(total, after)))) return NO_TOKENS
  if (known && (isAnew || before.total === 0)) return known
  if (known && totals.some((total) => PARTS.every((part) => total[part] + known[part] === after[part]))) return known
  if (after.total < before.total) return known ?? after
  if (known && PARTS.some((part) => after[part] < before[part])) return known
  return countsOf((part) => after[part] - before[part])
}

function isSame(one: TokenCounts, other: TokenCounts): boolean {
  return PARTS.every((part) => one[part] === other[part])
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
