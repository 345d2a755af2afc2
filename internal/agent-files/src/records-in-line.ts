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

/** Of records that were glued together, all that are whole up to the first that is not. */
const GLUED: RecordForm = { start: /(?!)/g, isRecord: () => true }

/** The records of a line, which is one as a rule, and what stands in the place of one. */
export function* recordsIn(line: Line): Generator<SourceRecord> {
  const glued = parseLine(line, GLUED)
  const behind = isWhole(line, glued.records) ? glued : parseLine(line, formOf(line))
  const { records, faults } = behind.records.length > glued.records.length ? behind : glued
  const isTorn = records.length === 0 || faults.some(({ kind }) => kind === "torn-line")
  if (faults.length > 0 && !line.terminated && isTorn) yield { torn: faults }
  else {
    if (faults.length > 0) yield { faults, ...(!isWhole(line, records) && { data: dataOf(line) }) }
    const isHidden = hidesTexts(line.bytes)
    for (const { value } of records) yield { value: isHidden ? withTexts(value) : value }
  }
}

/**
 * Behind a torn record, what has the fields with which that begins is one, and not an object in it. Before its first field is whole, nothing is in it.
 */
function formOf({ bytes }: Line): RecordForm {
  const beginning = new TextDecoder().decode(bytes.subarray(0, BEGINNING))
  const names = [...beginning.matchAll(FIELD)].map(([, name = ""]) => name)
  return { start: /\{"/g, isRecord: (value) => names.every((name) => name in value) }
}

/** How much of a line shows how its record begins. Bytes. */
const BEGINNING = 4096

/** One behind another from the beginning of a record on, up to the first whose value has fields of its own. */
const FIELD = /(?:^\{|,)"([^"\\]+)":(?:"(?:[^"\\]|\\.)*"|[\w.+-]+|(?=[[{]))/gy

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
