import type { Diagnostic } from "@treelog/session-core"
import { type Line, type LogRecord, parseLine } from "@treelog/session-core/adapter"
import { damagedData } from "./damaged-data.js"
import { hidesTexts, type Json, withTexts } from "./json.js"

type RecordForm = NonNullable<Parameters<typeof parseLine>[1]>

/** A record of a session, or what stands in the place of one. */
export type SourceRecord =
  | { readonly value: Json }
  /** What is wrong with a line: `data` is kept of what cannot be read of it. */
  | { readonly faults: readonly Diagnostic[]; readonly data?: ReturnType<typeof damagedData> }
  /** A last line without its end, which may still come. */
  | { readonly torn: readonly Diagnostic[] }

/** Of records that were glued together, all that are whole up to the first that is not: where others begin differs between agents. */
const FORM: RecordForm = { start: /(?!)/g, isRecord: () => true }

/** The records of a line, which is one as a rule, and what stands in the place of one. */
export function* recordsIn(line: Line, form: RecordForm = FORM): Generator<SourceRecord> {
  const { records, faults } = parseLine(line, form)
  const isTorn = records.length === 0 || faults.some(({ kind }) => kind === "torn-line")
  if (faults.length > 0 && !line.terminated && isTorn) yield { torn: faults }
  else {
    if (faults.length > 0) yield { faults, ...(!isWhole(line, records) && { data: dataOf(line) }) }
    const isHidden = hidesTexts(line.bytes)
    for (const { value } of records) yield { value: isHidden ? withTexts(value) : value }
  }
}

/** Whether the records are all that the line holds. */
function isWhole({ bytes, offset }: Line, records: readonly LogRecord[]): boolean {
  const ends = [0, ...records.map(({ place }) => place.offset + place.length - offset)]
  const starts = [...records.map(({ place }) => place.offset - offset), bytes.length]
  return records.length > 0 && starts.every((start, at) => isBlank(bytes.subarray(ends[at], start)))
}

/** NULs are nothing that was said. */
function isBlank(bytes: Uint8Array): boolean {
  return new TextDecoder().decode(bytes).replaceAll("\0", "").trim() === ""
}

function dataOf({ tooLong, bytes }: Line): ReturnType<typeof damagedData> {
  return damagedData(tooLong ?? bytes.length, () => new TextDecoder().decode(bytes))
}
