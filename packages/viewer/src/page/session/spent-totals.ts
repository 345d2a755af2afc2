import type { Spent } from "./entry-summary.js"

/** The sum of the usage and cost of model calls. */
export interface SpentTotals {
  calls: number
  input: number
  output: number
  cacheRead: number
  cacheWrite: number
  total: number
  cost: number
}

export function nothingSpent(): SpentTotals {
  return { calls: 0, input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0, cost: 0 }
}

export function addSpent(totals: SpentTotals, spent: Spent): void {
  totals.calls += 1
  for (const part of ["input", "output", "cacheRead", "cacheWrite", "total", "cost"] as const)
    totals[part] += spent[part]
}
