import type { Usage } from "@treelog/session-core"
import { usageFields } from "@treelog-internal/agent-files"
import { countIn, type Json } from "../rollout/json.js"

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

export function tokenCounts(usage: Json): TokenCounts {
  return {
    input: countIn(usage, "input_tokens"),
    cached: countIn(usage, "cached_input_tokens"),
    cacheWrite: countIn(usage, "cache_write_input_tokens"),
    output: countIn(usage, "output_tokens"),
    reasoning: countIn(usage, "reasoning_output_tokens"),
    total: countIn(usage, "total_tokens"),
  }
}

/** What was used between two totals. A total that fell was started anew. */
export function tokensBetween(before: TokenCounts, after: TokenCounts): TokenCounts {
  if (after.total < before.total) return after
  return {
    input: after.input - before.input,
    cached: after.cached - before.cached,
    cacheWrite: after.cacheWrite - before.cacheWrite,
    output: after.output - before.output,
    reasoning: after.reasoning - before.reasoning,
    total: after.total - before.total,
  }
}

/** The usage of a message: what is read from the cache is no part of `input`. */
export function usageOf({ input, cached, cacheWrite, output, reasoning, total } = NO_TOKENS): Usage & Json {
  const tokens = { input: Math.max(0, input - cached - cacheWrite), output, cacheRead: cached, cacheWrite }
  return { ...usageFields(tokens, total), ...(reasoning > 0 && { reasoning }) }
}
