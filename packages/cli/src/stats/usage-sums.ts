import type { Cost, SumRow, UsageTotals } from "@treelog/session-core/search"
import type { CommandSource } from "../sessions/open-library.js"

/** A sum, and of a session the program whose store has it. */
export interface CostRow extends SumRow<CommandSource> {
  readonly store?: string
}

/** Tokens and cost in a document. */
interface Amounts extends Pick<UsageTotals, "calls" | "input" | "output" | "cacheRead" | "cacheWrite" | "totalTokens"> {
  readonly cost: Cost
}

export function amountsOf({ totals, cost }: Pick<SumRow, "totals" | "cost">): Amounts {
  const { calls, input, output, cacheRead, cacheWrite, totalTokens } = totals
  return { calls, input, output, cacheRead, cacheWrite, totalTokens, cost }
}

/** What the parts of sessions with one role used. */
export function partAmounts(row: SumRow): Amounts & { readonly role: string } {
  return { role: row.key, ...amountsOf(row) }
}
