import type { Diagnostic } from "@treelog/session-core"
import { type Line, parseLine, type RecordForm } from "@treelog/session-core/adapter"
import { damagedData } from "./damaged-data.js"
import type { Json } from "./json.js"

/** A record of a session, or what stands in the place of one. */
export type SourceRecord =
  | { readonly value: Json }
  /** What cannot be read: `data` is kept of it. */
  | { readonly faults: readonly Diagnostic[]; readonly data: ReturnType<typeof damagedData> }
  /** A last line without its end, which may still come. */
  | { readonly torn: readonly Diagnostic[] }

/** Records that were glued together are not split: how to split them differs between agents. */
const FORM: RecordForm = { start: /(?!)/g, isRecord: () => true }

/** The record of a line, or what stands in its place. */
export function* recordsIn(line: Line): Generator<SourceRecord> {
  const { records, faults } = parseLine(line, FORM)
  const [record] = records
  if (record && faults.length === 0) yield { value: record.value }
  else if (faults.length > 0 && !line.terminated) yield { torn: faults }
  else if (faults.length > 0) {
    const data = damagedData(line.tooLong ?? line.bytes.length, () => new TextDecoder().decode(line.bytes))
    yield { faults, data }
  }
}
