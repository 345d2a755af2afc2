import type { Usage } from "@treelog/session-core"

/** Counts of tokens, what else decides about their price, and the price where the agent says it. */
export type Tokens = Pick<Usage, "input" | "output" | "cacheRead" | "cacheWrite"> &
  Partial<Pick<Usage, "cacheWrite1h" | "webSearches" | "serviceTier">> & {
    /** US dollars. */
    readonly cost?: number
  }

/**
 * The usage of a reply, all zero where the agent stored none. It always has a cost, 0 where the agent stored none, since pi reads the
 * usage of every reply and its cost.
 */
export function usageFields(tokens: Partial<Tokens> = {}, totalTokens?: number): Usage {
  const {
    input = 0,
    output = 0,
    cacheRead = 0,
    cacheWrite = 0,
    cacheWrite1h,
    webSearches,
    serviceTier,
    cost = 0,
  } = tokens
  return {
    ...{ input, output, cacheRead, cacheWrite },
    ...(cacheWrite1h && { cacheWrite1h }),
    totalTokens: totalTokens ?? input + output + cacheRead + cacheWrite,
    ...(webSearches && { webSearches }),
    ...(serviceTier && { serviceTier }),
    cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: cost },
  }
}
