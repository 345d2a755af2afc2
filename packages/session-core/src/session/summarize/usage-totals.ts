import { numberIn, totalOf } from "../../compaction/add-usage.js"

/** Tokens and cost, as providers reported them. */
export interface UsageTotals {
  /** How many answers, summaries and other calls reported a usage. */
  calls: number
  /** Tokens; so are the next four. */
  input: number
  output: number
  cacheRead: number
  cacheWrite: number
  totalTokens: number
  /** In the currency of the providers' prices, US dollars as a rule. */
  cost: number
  /** Requests that a provider bills by number (xcsh); only there where one was reported. */
  premiumRequests?: number
}

export function noUsage(): UsageTotals {
  return { calls: 0, input: 0, output: 0, cacheRead: 0, cacheWrite: 0, totalTokens: 0, cost: 0 }
}

/** Adds a stored usage, whatever of it is there. */
export function countUsage(totals: UsageTotals, usage: object): void {
  totals.calls += 1
  for (const part of ["input", "output", "cacheRead", "cacheWrite"] as const) totals[part] += numberIn(usage, part)
  totals.totalTokens += totalOf(usage)
  totals.cost += numberIn("cost" in usage ? usage.cost : undefined, "total")
  const premiumRequests = (totals.premiumRequests ?? 0) + numberIn(usage, "premiumRequests")
  if (premiumRequests > 0) totals.premiumRequests = premiumRequests
}
