import type { SourceIndex } from "../source/source-index.js"
import type { SourceRecord } from "../source/source-record.js"

/**
 * Gives lines of a reply that do not name its request the key of one that does, in whichever file: what a message used is counted once. So it gets lines
 * of a sub-agent that repeat a message which was there before under another request, as those of `/btw` do.
 */
export function completeKeys(indexes: readonly SourceIndex[]): void {
  /** By message: the key of the line before, and the lines that wait for one. */
  const keys = new Map<string, string>()
  const open = new Map<string, SourceRecord[]>()
  for (const { records } of indexes)
    for (const record of records) {
      const { key, message } = record
      if (key === undefined || message === undefined || record.hasSharedId) continue
      const known = keys.get(message)
      if (known !== undefined && (key === message || record.isSidechain)) record.key = known
      else if (key !== message) {
        for (const one of open.get(message) ?? []) one.key = key
        open.delete(message)
        keys.set(message, key)
      } else if (open.get(message)?.push(record) === undefined) open.set(message, [record])
    }
}
