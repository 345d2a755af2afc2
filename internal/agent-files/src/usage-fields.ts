import type { Usage } from "@treelog/session-core"

/** Counts of tokens, and what else decides about their price. */
export type Tokens = Pick<Usage, "input" | "output" | "cacheRead" | "cacheWrite"> &
  Partial<Pick<Usage, "cacheWrite1h" | "webSearches" | "serviceTier">>

const NONE: Tokens = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 }

/**
 * The usage of a reply, all zero where the agent stored none. It always has a cost, 0, since other agents store no cost, and pi reads the
 * usage of every reply and its cost.
 */
export function usageFields(tokens: Tokens = NONE, totalTokens = sumOf(tokens)): Usage {
  const { input, output, cacheRead, cacheWrite, cacheWrite1h, webSearches, serviceTier } = tokens
  return {
    ...{ input, output, cacheRead, cacheWrite },
    ...(cacheWrite1h && { cacheWrite1h }),
    totalTokens,
    ...(webSearches && { webSearches }),
    ...(serviceTier && { serviceTier }),
    cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 },
  }
}

function sumOf({ input, output, cacheRead, cacheWrite }: Tokens): number {
  return input + output + cacheRead + cacheWrite
}
