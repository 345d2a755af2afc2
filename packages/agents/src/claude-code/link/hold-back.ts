import type { SourceRecord } from "../source/source-record.js"

/** A record of one of these ends the reply before it, whether or not that has a reason to stop. */
const ENDS = new Set(["prompt", "meta", "summary", "boundary", "last-prompt", "skip", "queued", "local-command"])

/**
 * Where a reply begins that may still be written: the last one, without a reason to stop and without anything behind it that ends it, in a
 * file whose replies have such reasons. (Older versions write none, so that nothing is held back there.) The number of records where
 * there is none; undefined where the records before these would say it.
 * @param isOwn whether a record is in the transcript
 * @param before whether the last reply before the records has a reason to stop, where that is known
 */
export function heldFrom(
  records: readonly SourceRecord[],
  isOwn: (record: SourceRecord) => boolean,
  before?: { readonly hasStopped: boolean },
): number | undefined {
  let last: SourceRecord | undefined
  let first = records.length
  for (let at = records.length - 1; at >= 0; at--) {
    const record = records[at]
    if (!record || !isOwn(record)) continue
    const { role, model, hasStopped, key } = record
    if (!last && ENDS.has(role)) return records.length
    if (role !== "reply") continue
    last ??= record
    if (key === last.key) {
      if (hasStopped || model === undefined) return records.length
      first = at
    } else if (model !== undefined) return hasStopped ? first : records.length
  }
  if (last && before) return before.hasStopped ? first : records.length
  return last ? undefined : records.length
}
