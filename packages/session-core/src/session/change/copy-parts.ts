import type { SessionHeader } from "../../entry/header.js"
import { encodeLine, encodeText } from "../../log/format-line.js"
import type { SessionLog } from "../../log/session-log.js"
import { type ByteEdit, editedParts, type Part } from "../../log/splice.js"
import { migrate } from "../../migrate/migrate.js"

/**
 * A whole stored session with another header, and brought to the current version: every line that does not change is
 * copied as bytes, faulty ones included, and a torn last line is closed.
 */
export function copyParts(log: SessionLog, reheader: (header: SessionHeader) => SessionHeader): Part[] {
  const migrated = migrate(log)
  const edits: ByteEdit[] = [recordEdit(log.headerPlace, reheader(migrated.header))]
  migrated.records.forEach((record, index) => {
    if (record !== log.records[index]) edits.push(recordEdit(record.place, record.value))
  })
  const parts = editedParts(log.end.size, edits)
  return log.end.terminated ? parts : [...parts, { bytes: encodeText("\n") }]
}

/** Puts another record in the place of one, and leaves its line end alone. */
function recordEdit({ offset, length }: { offset: number; length: number }, record: object): ByteEdit {
  return { offset, length, bytes: encodeLine(record).subarray(0, -1) }
}
