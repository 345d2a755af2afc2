import {
  addTotals,
  type Cost,
  costOf,
  type IndexedSession,
  isPeriod,
  knownCost,
  type ModelUsage,
  noUsage,
  type PriceUsage,
  sumOfCosts,
  type UsageTotals,
} from "@treelog/session-core/search"
import type { UsageBy } from "../commands/stats/stats-options.js"

/** What a sum is of. */
export interface SumName {
  /** The hour, day, week, month, folder, model, agent or role, or the key of the session; empty for entries without a time. */
  readonly key: string
  /** Of a sum by session; and the program whose store has it. */
  readonly session?: IndexedSession
  readonly store?: string
  /** Finds its name, or what its user said first; empty where it has neither. */
  readonly findTitle?: () => Promise<string>
}

/** What a session used: by model, in total, and by the role of its parts. */
export function sumsOf(
  usages: readonly ModelUsage[],
  price: PriceUsage,
): { models: CostRow[]; total: CostRow; parts: CostRow[] } {
  const [models, parts] = [new UsageSums(), new UsageSums()]
  for (const one of usages) {
    const cost = [costOf([one], price)]
    models.add({ key: one.model }, one.usage, cost)
    if (one.role !== undefined) parts.add({ key: one.role }, one.usage, cost)
  }
  return { models: models.rows("model"), total: models.total(), parts: parts.rows("agent") }
}

/** A sum of tokens, and what they cost. */
export interface CostRow extends SumName {
  readonly totals: UsageTotals
  readonly cost: Cost
}

/** Collects sums of several stores, and of spans of time in which prices differ. */
export class UsageSums {
  readonly #sums = new Map<string, { readonly name: SumName; readonly totals: UsageTotals; readonly costs: Cost[] }>()

  /** @param costs of each of the calls that the totals are of */
  add(name: SumName, totals: UsageTotals, costs: readonly Cost[]): void {
    let known = this.#sums.get(name.key)
    if (known === undefined) {
      known = { name, totals: noUsage(), costs: [] }
      this.#sums.set(name.key, known)
    }
    addTotals(known.totals, totals)
    known.costs.push(...costs)
  }

  /** Times in their order; of anything else, the dearest first. */
  rows(by: UsageBy): CostRow[] {
    const rows = [...this.#sums.values()].map(
      ({ name, totals, costs }): CostRow => ({ ...name, totals, cost: sumOfCosts(costs) }),
    )
    const byKey = (a: CostRow, b: CostRow): number => (a.key < b.key ? -1 : 1)
    const byCost = (a: CostRow, b: CostRow): number =>
      knownCost(b.cost) - knownCost(a.cost) || b.totals.totalTokens - a.totals.totalTokens || byKey(a, b)
    return rows.sort(isPeriod(by) ? byKey : byCost)
  }

  /** All of it together. */
  total(key = "total"): CostRow {
    const [totals, all] = [noUsage(), [...this.#sums.values()]]
    for (const sum of all) addTotals(totals, sum.totals)
    return { key, totals, cost: sumOfCosts(all.flatMap(({ costs }) => costs)) }
  }
}

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
