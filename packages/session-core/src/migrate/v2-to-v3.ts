import type { Diagnostic } from "../entry/diagnostic.js"
import { isJsonObject } from "../entry/json-object.js"
import type { LogRecord } from "../log/parse-line.js"
import type { VersionedRecords } from "./versioned-records.js"

const HOOK_MESSAGE = "hookMessage"

/** Renames the role `hookMessage` to `custom` (FORMAT.md, section 3). */
export function v2ToV3({ header, records }: VersionedRecords): VersionedRecords & { diagnostics: Diagnostic[] } {
  return { header: { ...header, version: 3 }, records: records.map(withCustomRole), diagnostics: [] }
}

export function withCustomRole(record: LogRecord): LogRecord {
  const { message } = record.value
  if (record.value.type !== "message" || !isJsonObject(message) || message.role !== HOOK_MESSAGE) return record
  return { ...record, value: { ...record.value, message: { ...message, role: "custom" } } }
}
