import type { Diagnostic } from "../entry/diagnostic.js"
import { isJsonObject } from "../entry/json-object.js"
import type { VersionedRecords } from "./versioned-records.js"

/** Renames the role `hookMessage` to `custom` (FORMAT.md, section 3). */
export function v2ToV3({ header, records }: VersionedRecords): VersionedRecords & { diagnostics: Diagnostic[] } {
  const migrated = records.map((record) => {
    const { message } = record.value
    if (record.value.type !== "message" || !isJsonObject(message) || message.role !== "hookMessage") return record
    return { ...record, value: { ...record.value, message: { ...message, role: "custom" } } }
  })
  return { header: { ...header, version: 3 }, records: migrated, diagnostics: [] }
}
