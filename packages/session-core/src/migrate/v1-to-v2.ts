import type { Diagnostic } from "../entry/diagnostic.js"
import type { JsonObject } from "../entry/json-object.js"
import { valueText } from "../entry/value-text.js"
import type { LogRecord } from "../log/parse-line.js"
import type { VersionedRecords } from "./versioned-records.js"

/**
 * Gives each entry an id and the one before it as its parent, and turns a compaction's `firstKeptEntryIndex` (an index into
 * the file's objects with the header at 0) into `firstKeptEntryId` (FORMAT.md, section 3).
 * @param nextId returns a new id at each call
 */
export function v1ToV2(
  { header, records }: VersionedRecords,
  nextId: () => string,
): VersionedRecords & { diagnostics: Diagnostic[] } {
  const diagnostics: Diagnostic[] = []
  // An object without a type is not an entry: it gets no id, and is no entry's parent. It counts for indexes, though.
  const ids = records.map(({ value }) => (typeof value.type === "string" ? nextId() : undefined))
  let parentId: string | null = null
  const migrated = records.map((record, index): LogRecord => {
    const id = ids[index]
    if (id === undefined) return record
    const now = linked(record, { id, parentId }, ids, diagnostics)
    parentId = id
    return now
  })
  return { header: { ...header, version: 2 }, records: migrated, diagnostics }
}

/** One entry with its id and its parent. @param ids the ids of all records, in file order */
export function linked(
  record: LogRecord,
  { id, parentId }: { id: string; parentId: string | null },
  ids: readonly (string | undefined)[],
  diagnostics: Diagnostic[],
): LogRecord {
  const { type, id: _id, parentId: _parentId, ...rest } = record.value
  const value: JsonObject = { type, id, parentId, ...rest }
  if (type === "compaction" && "firstKeptEntryIndex" in rest) keepFrom(value, ids, record, diagnostics)
  return { ...record, value }
}

function keepFrom(
  value: JsonObject,
  ids: readonly (string | undefined)[],
  { place }: LogRecord,
  diagnostics: Diagnostic[],
): void {
  const index = value.firstKeptEntryIndex
  delete value.firstKeptEntryIndex
  const id = typeof index === "number" ? ids[index - 1] : undefined
  if (id !== undefined) value.firstKeptEntryId = id
  else {
    const message = `The compaction on line ${place.line} keeps from index ${valueText(index)}, which is no entry; it keeps nothing now.`
    diagnostics.push({ kind: "dropped-compaction-boundary", line: place.line, offset: place.offset, message })
  }
}
