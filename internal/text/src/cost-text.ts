import { type Cost, costOf, knownCost, type ModelUsage, type PriceUsage } from "@treelog/session-core/search"
import { cleanLine } from "./clean-text.js"
import { numberText } from "./quantities.js"

/** `$1,234.50`, `<$0.01`: US dollars with two decimals. What is more than nothing is never `$0.00`. */
export function dollarsText(amount: number): string {
  if (amount > 0 && amount < 0.005) return "<$0.01"
  const [whole = "", decimals = ""] = Math.abs(amount).toFixed(2).split(".")
  return `${amount < 0 ? "-" : ""}$${numberText(Number(whole))}.${decimals}`
}

/**
 * A cost, and how it is known: `$1.24` was reported, `~$1.24` is estimated, wholly or in part, `~$1.24+` lacks what has no price; `–` is not
 * known at all, and `$0.00` costs nothing.
 */
export function costText(cost: Cost): string {
  const isPartial = cost.unpriced.models.length > 0
  if (isPartial && knownCost(cost) === 0) return "–"
  return `${cost.estimated > 0 ? "~" : ""}${dollarsText(knownCost(cost))}${isPartial ? "+" : ""}`
}

/** What a session in a list cost; `–` of one that was not read yet, and nothing where no usage was reported. */
export function listedCostText(
  { usages, messageCount, error }: { usages?: readonly ModelUsage[]; messageCount?: number; error?: object },
  price: PriceUsage | undefined,
): string {
  if (usages) return costText(costOf(usages, price))
  return messageCount === undefined && !error ? "–" : ""
}

/** What the marks of a cost mean, a sentence each; none where all of it was reported. @param date of the prices: `2026-11-10` */
export function costNotes(cost: Cost, date?: string): string[] {
  const { reported, estimated, unpriced, free } = cost
  const notes: string[] = []
  const by = date === undefined ? "by list prices" : `by list prices of ${date}`
  if (estimated > 0 && reported > 0)
    notes.push(`~ ${dollarsText(reported)} was reported, ${dollarsText(estimated)} is estimated ${by}.`)
  else if (estimated > 0) notes.push(`~ estimated ${by}: no cost was reported.`)
  if (unpriced.models.length > 0)
    notes.push(
      `No price is known for ${modelNames(unpriced.models)}: ${tokensText(unpriced.tokens)} tokens are not in the cost.`,
    )
  if (free.length > 0) notes.push(`Free, or paid by a subscription: ${modelNames(free)}.`)
  return notes
}

/** Tokens: `812`, `12.4K`, `1.2M`, `3.0B`. */
export function tokensText(tokens: number): string {
  let [value, unit] = [tokens, ""]
  for (const next of ["K", "M", "B", "T"]) {
    if (Math.abs(value) < (unit === "" ? 999.5 : 999.95)) break
    value /= 1000
    unit = next
  }
  if (unit === "") return String(Math.round(value))
  const [whole, decimal] = value.toFixed(1).split(".")
  return `${numberText(Number(whole))}.${decimal}${unit}`
}

/** More models than that are counted. */
const MOST_NAMES = 5

function modelNames(models: readonly string[]): string {
  const names = models.slice(0, MOST_NAMES).map((model) => cleanLine(model.slice(0, 80)))
  if (models.length > names.length) names.push(`${models.length - names.length} more`)
  return names.join(", ")
}
