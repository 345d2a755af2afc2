import type { SourceRecord } from "../source/source-record.js"

/** The tools that calls name, by the id of the call. */
export function toolNamesOf(records: readonly SourceRecord[]): Map<string, string> {
  const names = new Map<string, string>()
  for (const { calls = [] } of records)
    for (const { id, name } of calls) if (id !== "" && !names.has(id)) names.set(id, name)
  return names
}
