import type { PlacedFacts } from "@treelog/session-core/search"
import type { SqliteValue } from "@treelog-internal/sqlite"
import type { EntryIdentity } from "./copies.js"
import { storableText } from "./storable-text.js"

type Identified = Pick<PlacedFacts, "id" | "time" | "timestamp" | "content">

export function identityOf({ id, time, timestamp, content }: Identified): EntryIdentity {
  return { id: storableText(id), time, stamp: stampOf(time, timestamp), content }
}

/** The ISO form of a time on a day that every month has: making it again from each time takes long. */
const USUAL = /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d\.\d{3}Z$/

/** Null for the usual form, which the time has. */
function stampOf(time: number, timestamp: string): string | null {
  const isUsual = USUAL.test(timestamp) || new Date(time).toISOString() === timestamp
  return time !== 0 && isUsual ? null : storableText(timestamp)
}

/** The columns of what an entry used, from `calls` on. */
export function usageValues({ usage }: PlacedFacts["usages"][number]): readonly SqliteValue[] {
  const { calls, input, output, cacheRead, cacheWrite, totalTokens, cost } = usage
  const { cacheWrite1h = null, reasoning = null, webSearches = null, premiumRequests = null } = usage
  const rare = [cacheWrite1h, reasoning, webSearches, premiumRequests]
  return [calls, input, output, cacheRead, cacheWrite, totalTokens, cost, ...rare]
}

/** The files of an entry: what it changed, then what it only read. */
export function filesOf({
  changedFiles,
  readFiles,
}: Pick<PlacedFacts, "changedFiles" | "readFiles">): readonly { path: string; change: 0 | 1 }[] {
  const file = (change: 0 | 1) => (path: string) => ({ path, change })
  return [...changedFiles.map(file(1)), ...readFiles.map(file(0))]
}
