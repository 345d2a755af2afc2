/** US dollars for a million tokens. */
export interface Rates {
  readonly input: number
  readonly output: number
  readonly cacheRead: number
  /** For 5 minutes, or for however long the provider keeps it. */
  readonly cacheWrite: number
  /** For an hour. */
  readonly cacheWrite1h: number
  /** Of the output, what is reasoning. */
  readonly reasoning: number
}

/** The rates of calls with more input, cached tokens included. */
export interface Tier extends Rates {
  /** Tokens. A call with exactly so many has the rates before. */
  readonly above: number
}

/** What a model costs at one provider. */
export interface ModelPrice extends Rates {
  /** Whose price it is, and the name there. */
  readonly provider: string
  readonly model: string
  /** By `above`, the smallest first. */
  readonly tiers: readonly Tier[]
  /** US dollars for one search of the web by the provider's own tool; undefined where that is not known. */
  readonly webSearch: number | undefined
  /** The source's table, or a list of your own. */
  readonly source: "table" | "list"
}

/** What is given of rates; what follows from others is left out. */
export type GivenRates = Pick<Rates, "input" | "output"> & Partial<Rates>

/** An hour of cache costs twice the input at Anthropic, the only provider that reports it. Reasoning is output. */
export function completeRates(given: GivenRates): Rates {
  const { input, output, cacheRead = input, cacheWrite = input, cacheWrite1h = 2 * input, reasoning = output } = given
  return { input, output, cacheRead, cacheWrite, cacheWrite1h, reasoning }
}

/** All rates and those of the tiers by a factor. */
export function scaledPrice(price: ModelPrice, factor: number): ModelPrice {
  const scaled = <Of extends Rates>(rates: Of): Of => ({
    ...rates,
    input: rates.input * factor,
    output: rates.output * factor,
    cacheRead: rates.cacheRead * factor,
    cacheWrite: rates.cacheWrite * factor,
    cacheWrite1h: rates.cacheWrite1h * factor,
    reasoning: rates.reasoning * factor,
  })
  return { ...scaled(price), tiers: price.tiers.map(scaled) }
}

/** The rates for a call with so much input, cached tokens included. */
export function ratesFor(price: ModelPrice, inputTokens: number): Rates {
  return price.tiers.filter(({ above }) => inputTokens > above).at(-1) ?? price
}
