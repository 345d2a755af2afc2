import type { Cost, UsageTotals } from "@treelog/session-core/search"
import type { CostRow } from "./usage-sums.js"

/** Tokens and cost in a document. */
interface Amounts extends Pick<UsageTotals, "calls" | "input" | "output" | "cacheRead" | "cacheWrite" | "totalTokens"> {
  readonly cost: Cost
}

export function amountsOf({ totals, cost }: Pick<CostRow, "totals" | "cost">): Amounts {
  const { calls, input, output, cacheRead, cacheWrite, totalTokens } = totals
  return { calls, input, output, cacheRead, cacheWrite, totalTokens, cost }
}

/** What the parts of sessions with one role used. */
export function partAmounts(row: CostRow): Amounts & { readonly role: string } {
  return { role: row.key, ...amountsOf(row) }
}
