import type { SessionHeader } from "../../entry/header.js"
import type { JsonObject } from "../../entry/json-object.js"
import { encodeText } from "../../log/format-line.js"
import type { Place } from "../../log/line.js"
import type { SessionLog } from "../../log/session-log.js"
import { type ByteEdit, editedParts, type Part } from "../../log/splice.js"
import { spliceLine } from "../../log/splice-line.js"
import { migrate } from "../../migrate/migrate.js"

/**
 * The parts of a copy of a whole session in the current version: every line that does not change is copied as bytes, faulty ones
 * included, and a torn last line gets its line end.
 * @param reheader makes the header of the copy from that of the current version
 */
export function copyParts(log: SessionLog, reheader = (header: SessionHeader) => header): Part[] {
  const migrated = migrate(log)
  const edits: ByteEdit[] = [recordEdit(log.headerPlace, log.header, reheader(migrated.header))]
  migrated.records.forEach((record, index) => {
    const before = log.records[index]
    if (before && record !== before) edits.push(recordEdit(record.place, before.value, record.value))
  })
  const parts = editedParts(log.end.size, edits)
  return log.end.terminated ? parts : [...parts, { bytes: encodeText("\n") }]
}

/** Changes a record in its place, and leaves its line end alone. */
function recordEdit({ offset, length }: Place, before: JsonObject, after: JsonObject): ByteEdit {
  return { offset, length, bytes: (raw) => spliceLine(raw, before, after) }
}
