import type { Usage } from "@treelog/session-core"
import { countIn, type Json, usageFields } from "@treelog-internal/agent-files"

/** Token counts as Codex writes them; cached tokens are part of the input. */
export interface TokenCounts {
  readonly input: number
  readonly cached: number
  readonly cacheWrite: number
  readonly output: number
  readonly reasoning: number
  readonly total: number
}

export const NO_TOKENS: TokenCounts = { input: 0, cached: 0, cacheWrite: 0, output: 0, reasoning: 0, total: 0 }

/** Counts as they are written; what has no parts has only its total. */
export function tokenCounts(usage: Json): TokenCounts {
  return counted({
    input: countIn(usage, "input_tokens"),
    cached: countIn(usage, "cached_input_tokens"),
    cacheWrite: countIn(usage, "cache_write_input_tokens"),
    output: countIn(usage, "output_tokens"),
    reasoning: countIn(usage, "reasoning_output_tokens"),
    total: countIn(usage, "total_tokens"),
  })
}

/** Counts that can be: none is less than nothing, and cached tokens are some of the input. */
function counted(counts: TokenCounts): TokenCounts {
  const [input, output] = [Math.max(0, counts.input), Math.max(0, counts.output)]
  const cached = Math.min(input, Math.max(0, counts.cached))
  const cacheWrite = Math.min(input - cached, Math.max(0, counts.cacheWrite))
  const total = input + output || Math.max(0, counts.total)
  return { input, cached, cacheWrite, output, reasoning: Math.max(0, counts.reasoning), total }
}

const PARTS = ["input", "cached", "cacheWrite", "output", "reasoning", "total"] as const

/**
 * What was used between two totals: what they grew by. Totals that fell, or that are those of the last response alone, were begun anew:
 * what was used is then what the last response did. So it is of the first totals: they may go on from those of another file, which has them.
 * @param last of the last response, as the program says; it is not believed where the totals do not have it
 */
export function tokensBetween(before: TokenCounts, after: TokenCounts, last: TokenCounts | undefined): TokenCounts {
  if (PARTS.every((part) => after[part] === before[part])) return NO_TOKENS
  const known = last && PARTS.every((part) => last[part] <= after[part]) ? last : undefined
  if (known && (known.total === after.total || before === NO_TOKENS)) return known
  if (after.total < before.total) return known ?? after
  if (known && PARTS.some((part) => after[part] < before[part])) return known
  return counted({
    input: after.input - before.input,
    cached: after.cached - before.cached,
    cacheWrite: after.cacheWrite - before.cacheWrite,
    output: after.output - before.output,
    reasoning: after.reasoning - before.reasoning,
    total: after.total - before.total,
  })
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
