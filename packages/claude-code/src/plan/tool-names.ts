import type { SourceRecord } from "../source/source-record.js"

/** The tools that calls name, by the number of a call's id. */
export function toolNamesOf(records: readonly SourceRecord[]): Map<number, string> {
  const names = new Map<number, string>()
  for (const record of records) {
    if (record.role !== "reply") continue
    for (let order = 0; order < record.callCount; order++) {
      const call = record.callAt(order)
      if (call !== 0 && !names.has(call)) names.set(call, record.callNameAt(order))
    }
  }
  return names
}
