import { type ModelUsage, UNKNOWN_MODEL } from "./usage.js"

/** What calls cost, and how that is known. */
export interface Cost {
  /** What programs reported, in US dollars as a rule. */
  readonly reported: number
  /** What the calls cost by a price list of which no cost was reported. US dollars. */
  readonly estimated: number
  /** What has no cost and no price: its models, and all of their tokens. */
  readonly unpriced: { readonly models: readonly string[]; readonly tokens: number }
  /** Models whose price is 0: they are free, or paid by a subscription. */
  readonly free: readonly string[]
}

/**
 * What calls that are alike cost; undefined where their model has no price, which is not 0. US dollars. The cost of a sum of calls is the sum
 * of their costs: it is called with sums, and a page gets the rates of one token.
 * `costOf` of `@treelog/prices` is what such a function is made of.
 */
export type PriceUsage = (usage: ModelUsage) => number | undefined

/** The cost of calls: what was reported of each, else its estimate. @param price without it, nothing is estimated */
export function costOf(usages: readonly ModelUsage[], price?: PriceUsage): Cost {
  return sumOfCosts(
    usages.map((one): Cost => {
      const { model, usage } = one
      if (usage.cost > 0) return { ...NOTHING, reported: usage.cost }
      if (usage.totalTokens === 0) return NOTHING
      const amount = model === UNKNOWN_MODEL ? undefined : price?.(one)
      if (amount === undefined) return { ...NOTHING, unpriced: { models: [model], tokens: usage.totalTokens } }
      return amount === 0 ? { ...NOTHING, free: [model] } : { ...NOTHING, estimated: amount }
    }),
  )
}

const NOTHING: Cost = { reported: 0, estimated: 0, unpriced: { models: [], tokens: 0 }, free: [] }

/** The cost of several sums together. */
export function sumOfCosts(costs: readonly Cost[]): Cost {
  const [models, free] = [new Set<string>(), new Set<string>()]
  let [reported, estimated, tokens] = [0, 0, 0]
  for (const cost of costs) {
    reported += cost.reported
    estimated += cost.estimated
    tokens += cost.unpriced.tokens
    for (const model of cost.unpriced.models) models.add(model)
    for (const model of cost.free) free.add(model)
  }
  return {
    reported: rounded(reported),
    estimated: rounded(estimated),
    unpriced: { models: [...models], tokens },
    free: [...free],
  }
}

/** To a billionth: less than a token costs anywhere, and more than what adding leaves of binary fractions. */
function rounded(dollars: number): number {
  return dollars === 0 ? 0 : Number(dollars.toFixed(9))
}

/** All that is known of a cost, for sorting. US dollars. */
export function knownCost({ reported, estimated }: Cost): number {
  return reported + estimated
}
