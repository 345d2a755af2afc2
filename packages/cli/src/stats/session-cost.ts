import type { SessionEntry } from "@treelog/session-core"
import { addUsages, type Cost, costOf, type ModelUsage, usagesOf } from "@treelog/session-core/search"
import type { Io } from "../io/io.js"
import { openPrices } from "./prices.js"

/** What entries of a session cost, by the prices at the time of the last one; undefined where no usage was reported. @throws UsageError for a list of your own that cannot be used */
export async function sessionCost(
  io: Pick<Io, "cwd" | "env">,
  entries: Iterable<SessionEntry>,
): Promise<Cost | undefined> {
  const usages: ModelUsage[] = []
  let last = ""
  for (const entry of entries) {
    addUsages(usages, usagesOf(entry))
    last = entry.timestamp
  }
  if (usages.length === 0) return undefined
  const time = Date.parse(last)
  return costOf(usages, (await openPrices(io)).at(Number.isNaN(time) ? undefined : time))
}
