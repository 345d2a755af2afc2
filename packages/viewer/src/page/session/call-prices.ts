import { type Cost, costOf, type ModelUsage } from "@treelog/session-core/search"
import type { AlikeCalls, CallRates } from "../../wire.js"

/** Finds the rates of calls; those that have none are missing. */
export type RateSource = (calls: readonly AlikeCalls[]) => Promise<readonly CallRates[]>

const KINDS = ["input", "output", "cacheRead", "cacheWrite", "cacheWrite1h", "reasoning", "webSearches"] as const

/** What calls cost, by rates that are asked for when they are first needed. */
export class CallPrices {
  readonly #source: RateSource | undefined
  readonly #onRates: () => void
  /** Undefined where there are none, or no answer yet. */
  readonly #rates = new Map<string, CallRates["rates"] | undefined>()
  #wanted: AlikeCalls[] = []
  /** Increased when costs are other ones than before. */
  version = 0

  /** @param onRates called when the version has increased */
  constructor(source: RateSource | undefined, onRates: () => void) {
    this.#source = source
    this.#onRates = onRates
  }

  costOf(usages: readonly ModelUsage[]): Cost {
    return costOf(usages, (usage) => this.#price(usage))
  }

  #price({ model, inputAbove, serviceTier, usage }: ModelUsage): number | undefined {
    const calls = { model, inputAbove, serviceTier }
    const key = keyOf(calls)
    if (!this.#rates.has(key)) this.#want(key, calls)
    const rates = this.#rates.get(key)
    let cost = 0
    for (const [at, kind] of KINDS.entries()) {
      const [count, rate] = [usage[kind] ?? 0, rates?.[at] ?? undefined]
      if (count > 0 && rate === undefined) return undefined
      cost += count * (rate ?? 0)
    }
    return rates && cost
  }

  #want(key: string, calls: AlikeCalls): void {
    this.#rates.set(key, undefined)
    if (!this.#source) return
    if (this.#wanted.push(calls) === 1) queueMicrotask(() => this.#ask())
  }

  async #ask(): Promise<void> {
    const wanted = this.#wanted
    this.#wanted = []
    const found = (await this.#source?.(wanted)) ?? []
    for (const calls of found) this.#rates.set(keyOf(calls), calls.rates)
    if (found.length === 0) return
    this.version += 1
    this.#onRates()
  }
}

function keyOf({ model, inputAbove = 0, serviceTier = "" }: AlikeCalls): string {
  return `${inputAbove} ${serviceTier} ${model}`
}
