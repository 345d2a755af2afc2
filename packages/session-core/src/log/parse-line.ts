import type { Diagnostic } from "../entry/diagnostic.js"
import type { EntryHead } from "../entry/entry.js"
import { isJsonObject, type JsonObject } from "../entry/json-object.js"
import { AsciiOffsets } from "./ascii-offsets.js"
import { scanHead } from "./entry-head.js"
import { decodeText } from "./format-line.js"
import { type Line, LONGEST_LINE, type Place } from "./line.js"
import { recoverRecords } from "./recover-records.js"

/** A JSON object that stands in the file, and where. */
export interface LogRecord {
  readonly value: JsonObject
  readonly place: Place
  /** The value only stands for a damaged entry. A torn one, of which the end is missing too, counts where another names it as its parent. */
  readonly lost?: "damaged" | "torn"
}

/** What a line holds: usually one record and no fault, never an exception. */
export interface ParsedLine {
  readonly records: readonly LogRecord[]
  readonly faults: readonly Diagnostic[]
  /** The head of an entry whose line is not JSON further on. */
  readonly lost?: EntryHead | undefined
}

const NOTHING: ParsedLine = { records: [], faults: [] }
const strict = /* @__PURE__ */ new TextDecoder("utf-8", { fatal: true, ignoreBOM: true })

/**
 * Reads one line (FORMAT.md, sections 2 and 4). Records that were glued together are split and all recovered; what
 * cannot be read is a fault with line and offset.
 */
export function parseLine(line: Line): ParsedLine {
  const length = line.tooLong ?? line.bytes.length
  if (length > LONGEST_LINE) {
    const message = `Line ${line.number} has ${length} bytes: more than a string can hold.`
    return { records: [], faults: [faultAt(line, "line-too-long", message)] }
  }
  if (isBlank(line.bytes)) return NOTHING
  const faults: Diagnostic[] = []
  const text = decode(line, faults)
  const value = parseJson(text)
  if (value instanceof SyntaxError) return recover(line, text, value, faults)
  if (!isJsonObject(value)) {
    faults.push(faultAt(line, "not-an-entry", `Line ${line.number} is JSON, but no object.`))
    return { records: [], faults }
  }
  const place: Place = { line: line.number, offset: line.offset, length: line.bytes.length }
  return { records: [{ value, place }], faults }
}

function recover(line: Line, text: string, error: SyntaxError, faults: Diagnostic[]): ParsedLine {
  const { records: found, unread } = recoverRecords(text)
  if (found.length === 0) {
    if (!line.terminated) return { records: [], faults: [...faults, tornAt(line, line.offset)] }
    faults.push(faultAt(line, "invalid-json", `Line ${line.number} is not JSON: ${error.message}.`))
    return { records: [], faults, lost: scanHead(line.bytes) }
  }
  const count = found.length
  const rest = unread === undefined ? "" : "; a part of it is not readable"
  const message = `Line ${line.number} holds ${count} ${count === 1 ? "record" : "records"} glued together${rest}.`
  faults.push(faultAt(line, "glued-records", message))
  const offsets = new AsciiOffsets(text, line.bytes)
  const records = found.map(({ value, from, to }): LogRecord => {
    const offset = offsets.of(from)
    const length = offsets.of(to - 1) + 1 - offset
    return { value, place: { line: line.number, offset: line.offset + offset, length } }
  })
  const last = records.at(-1)?.place
  if (!line.terminated && unread === "end" && last) faults.push(tornAt(line, last.offset + last.length))
  return { records, faults }
}

function tornAt(line: Line, offset: number): Diagnostic {
  const message = `Line ${line.number}, the last, was torn: it has no line end and is not JSON.`
  return { kind: "torn-line", line: line.number, offset, message }
}

function decode(line: Line, faults: Diagnostic[]): string {
  try {
    return strict.decode(line.bytes)
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    faults.push(faultAt(line, "invalid-utf8", `Line ${line.number} has bytes that are not UTF-8.`))
    return decodeText(line.bytes)
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    return error instanceof SyntaxError ? error : new SyntaxError(String(error))
  }
}

function faultAt(line: Line, kind: Diagnostic["kind"], message: string): Diagnostic {
  return { kind, line: line.number, offset: line.offset, message }
}

/** Whether there is nothing but white space, as JSON has it. */
export function isBlank(bytes: Uint8Array): boolean {
  for (const byte of bytes) if (byte !== 0x20 && byte !== 0x09 && byte !== 0x0d) return false
  return true
}
