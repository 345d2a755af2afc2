import type { SourceRecord } from "../source/source-record.js"

/** A record of one of these ends the reply before it, whether or not that has a reason to stop. */
const ENDS = new Set(["prompt", "meta", "summary", "boundary", "last-prompt", "skip", "queued"])

/**
 * Where a reply begins that may still be written: the last one, without a reason to stop and without anything behind it that ends it, in a
 * file whose replies have such reasons. (Older versions write none, so that nothing is held back there.) The number of records where
 * there is none.
 */
export function heldFrom(records: readonly SourceRecord[]): number {
  let last = records.length - 1
  while (last >= 0 && records[last]?.role !== "reply") {
    if (ENDS.has(records[last]?.role ?? "")) return records.length
    last -= 1
  }
  const key = records[last]?.reply?.key
  if (key === undefined || records[last]?.reply?.model === undefined) return records.length
  let first = last
  for (let at = last; at >= 0; at--) {
    const { reply, role } = records[at] ?? {}
    if (reply?.key === key && reply.stopReason !== undefined) return records.length
    if (reply?.key === key) first = at
    else if (reply?.model !== undefined) return reply.stopReason === undefined ? records.length : first
    else if (role === "boundary") break
  }
  return records.length
}
