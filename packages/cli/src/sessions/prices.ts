import { readFileSync } from "node:fs"
import type { PriceList } from "@treelog/prices"
import type { SessionEntry, SessionInfo } from "@treelog/session-core"
import {
  addUsages,
  type Cost,
  costOf,
  INPUT_STEPS,
  type ModelUsage,
  type Prices,
  type PriceUsage,
  usagesOf,
} from "@treelog/session-core/search"
import { UsageError } from "../errors/exit-codes.js"
import type { Io } from "../io/io.js"
import { readConfig } from "../store/config.js"

/** The prices that estimates are made of; they change where those of your own list begin. */
export interface DatedPrices extends Prices {
  /** Of the table: `2026-11-10`. */
  readonly date: string
}

/**
 * The table of `@treelog/prices`, behind the list that `treelog config set prices` names.
 * @throws UsageError for a list that cannot be used
 */
export async function openPrices(io: Pick<Io, "cwd" | "env">): Promise<DatedPrices> {
  const path = readConfig(io).prices
  const [{ costOf, TABLE_DATE }, list] = await Promise.all([
    import("@treelog/prices"),
    path === undefined ? undefined : readPriceList(path),
  ])
  const priceAt = (usage: ModelUsage, at: number | undefined): number | undefined => {
    const { model, inputAbove = 0, serviceTier, usage: used } = usage
    const counts = { ...used, ...(serviceTier !== undefined && { serviceTier }) }
    return costOf(counts, { model, at, list, inputOfOneCall: inputAbove + 1 })?.total
  }
  const changes = (list?.models ?? []).map(({ from }) => from).filter(Number.isFinite)
  return {
    at: (time) => (usage) => priceAt(usage, time),
    changes: [...new Set(changes)].sort((a, b) => a - b),
    date: TABLE_DATE,
  }
}

/** Prices for the sessions of a list: opened where one of them has a usage of which no cost was reported. */
export class ListedPrices {
  readonly #io: Pick<Io, "cwd" | "env">
  #price: PriceUsage | undefined

  constructor(io: Pick<Io, "cwd" | "env">) {
    this.#io = io
  }

  readonly price: PriceUsage = (usage) => this.#price?.(usage)

  /** Call it before these sessions are shown. @throws UsageError for a list of your own that cannot be used */
  async prepare(sessions: readonly Pick<SessionInfo, "usages">[]): Promise<void> {
    const isNeeded = sessions.some(({ usages }) => usages?.some(({ usage }) => usage.cost === 0))
    if (isNeeded) this.#price ??= (await openPrices(this.#io)).at()
  }
}

/** @param path absolute @throws UsageError for what cannot be read, or is not a price list */
export async function readPriceList(path: string): Promise<PriceList> {
  const { InvalidPriceListError, priceList } = await import("@treelog/prices")
  const unusable = (why: string): UsageError =>
    new UsageError(
      `The price list ${path} cannot be used: ${why} Correct it, or run \`treelog config unset prices\`.`,
      { path },
    )
  try {
    const list = priceList(JSON.parse(readFileSync(path, "utf8")))
    for (const { name, price } of list.models)
      for (const { above } of price.tiers)
        if (!INPUT_STEPS.includes(above))
          throw unusable(`a tier of ${name} is above ${above}, and sums know only ${INPUT_STEPS.join(", ")}.`)
    return list
  } catch (error) {
    if (error instanceof InvalidPriceListError) throw unusable(error.message)
    if (error instanceof SyntaxError) throw unusable("it is no JSON.")
    if (error instanceof Error && "code" in error && error.code === "ENOENT") throw unusable("there is no such file.")
    throw error
  }
}

/** What an entry cost, by the prices at its time; undefined where it reports no usage. */
export function entryCost(entry: SessionEntry, prices: DatedPrices): Cost | undefined {
  const usages = usagesOf(entry)
  return usages.length === 0 ? undefined : costOf(usages, prices.at(timeOf(entry)))
}

/** What entries of a session cost, by the prices at the time of the last one; undefined where no usage was reported. @throws UsageError for a list of your own that cannot be used */
export async function sessionCost(
  io: Pick<Io, "cwd" | "env">,
  entries: Iterable<SessionEntry>,
): Promise<Cost | undefined> {
  const usages: ModelUsage[] = []
  let last: SessionEntry | undefined
  for (const entry of entries) {
    addUsages(usages, usagesOf(entry))
    last = entry
  }
  return usages.length === 0 ? undefined : costOf(usages, (await openPrices(io)).at(last && timeOf(last)))
}

function timeOf({ timestamp }: SessionEntry): number | undefined {
  const time = typeof timestamp === "string" ? Date.parse(timestamp) : Number.NaN
  return Number.isNaN(time) ? undefined : time
}
