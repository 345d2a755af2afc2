import type { SessionEntry } from "@treelog/session-core"
import { addUsages, type Cost, costOf, type ModelUsage, usagesOf } from "@treelog/session-core/search"
import type { Io } from "../io/io.js"
import { type DatedPrices, openPrices } from "./prices.js"

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
