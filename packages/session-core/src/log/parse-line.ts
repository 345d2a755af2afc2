import type { Diagnostic } from "../entry/diagnostic.js"
import type { EntryHead, SessionEntry } from "../entry/entry.js"
import { parsedJson } from "../entry/json-text.js"
import { isJsonObject, type JsonObject } from "../entry/values.js"
import { byteText } from "./byte-text.js"
import { scanHead } from "./entry-head.js"
import { decodeText } from "./format-line.js"
import { type Line, LONGEST_LINE, type Place } from "./line.js"

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

/** How records look that were glued together, or were written behind a torn one. */
export interface RecordForm {
  /** What a record can begin with. Global, so that a search can continue where the last one ended. */
  readonly start: RegExp
  isRecord(value: JsonObject): boolean
}

/** Headers and entries: both have a type and a time. */
const SESSION_RECORDS: RecordForm = {
  start: /\{"type":/g,
  isRecord: ({ type, timestamp }) => typeof type === "string" && typeof timestamp === "string",
}

/**
 * Reads one line (FORMAT.md, sections 2 and 4). Records that were glued together are split and all recovered; what
 * cannot be read is a fault with line and offset.
 * @param form of the records, for files of other programs
 */
export function parseLine(line: Line, form: RecordForm = SESSION_RECORDS): ParsedLine {
  const length = line.tooLong ?? line.bytes.length
  if (length > LONGEST_LINE) {
    const message = `Line ${line.number} has ${length} bytes: more than a string can hold.`
    return { records: [], faults: [faultAt(line, "line-too-long", message)] }
  }
  if (isBlank(line.bytes)) return NOTHING
  const faults: Diagnostic[] = []
  const text = decode(line, faults)
  const value = parseJson(text)
  if (value instanceof SyntaxError) return recover(line, value, faults, form)
  if (!isJsonObject(value)) {
    faults.push(faultAt(line, "not-an-entry", `Line ${line.number} is JSON, but not an object.`))
    return { records: [], faults }
  }
  const place: Place = { line: line.number, offset: line.offset, length: line.bytes.length }
  return { records: [{ value, place }], faults }
}

function recover(line: Line, error: SyntaxError, faults: Diagnostic[], form: RecordForm): ParsedLine {
  const { records: found, unread } = recoverRecords(line, form)
  if (found.length === 0) {
    if (!line.terminated) return { records: [], faults: [...faults, tornAt(line, line.offset)] }
    faults.push(faultAt(line, "invalid-json", `Line ${line.number} is not JSON: ${error.message}.`))
    return { records: [], faults, lost: scanHead(line.bytes) }
  }
  const count = found.length
  const rest = unread === undefined ? "" : "; a part of it is not readable"
  const message = `Line ${line.number} holds ${count} ${count === 1 ? "record" : "records"} glued together${rest}.`
  faults.push(faultAt(line, "glued-records", message))
  const records = found.map(({ value, from, to }): LogRecord => {
    return { value, place: { line: line.number, offset: line.offset + from, length: to - from } }
  })
  const last = records.at(-1)?.place
  if (!line.terminated && unread === "end" && last) faults.push(tornAt(line, last.offset + last.length))
  return { records, faults }
}

function tornAt(line: Line, offset: number): Diagnostic {
  const message = `Line ${line.number}, the last, was torn: it has no line end and is not JSON.`
  return { kind: "torn-line", line: line.number, offset, message }
}

/** The text of bytes, which must be UTF-8. @throws TypeError */
export function strictText(bytes: Uint8Array): string {
  return strict.decode(bytes)
}

function decode(line: Line, faults: Diagnostic[]): string {
  try {
    return strictText(line.bytes)
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

interface RecoveredRecord {
  readonly value: JsonObject
  /** Index of its first byte in the line, and of the one behind its last. */
  readonly from: number
  readonly to: number
}

interface Recovered {
  readonly records: readonly RecoveredRecord[]
  /** Where there is something in the line that could not be read: at its end, or before that. */
  readonly unread: "end" | "before" | undefined
}

/** White space as `\s` has it, BOMs, in their bytes, and NULs, which a crash leaves of what should have followed. */
const SPACE = /[\0\t-\r ]|\xc2\xa0|\xef\xbb\xbf|\xe2\x80[\x80-\x8a\xa8\xa9\xaf]|\xe2\x81\x9f|\xe3\x80\x80|\xe1\x9a\x80/y

function behindSpaces(text: string, from: number): number {
  let at = from
  SPACE.lastIndex = at
  while (SPACE.test(text)) at = SPACE.lastIndex
  return at
}

/**
 * Finds the whole records in a line that is not JSON: `{…}{…}`, where a writer lost the line end between two, `{…}{…torn`,
 * and `{…torn {…}`, where a record was appended behind a torn one. A record counts only if it stands at the beginning of
 * the line, or if all the rest of the line, from it to the end, is nothing but records: an object nested in a damaged record
 * must never come out as a record of its own.
 */
function recoverRecords(line: Line, form: RecordForm): Recovered {
  // What delimits records is ASCII: in a text with a character for each byte it stands where it does in the bytes.
  const text = byteText(line.bytes)
  const first = text.indexOf("{")
  if (first === -1) return { records: [], unread: "end" }
  const front = recordsFrom(line.bytes, text, first, form)
  const atStart = behindSpaces(text, 0) === first
  if (front.stopped === text.length) return { records: front.records, unread: atStart ? undefined : "before" }
  const whole = atStart && nextStart(text, front.stopped, form) === front.stopped ? front.records : []
  let budget = text.length * 8 + 1024 - front.read
  let start = nextStart(text, whole.length > 0 ? front.stopped + 1 : first + 1, form)
  for (; start !== -1 && budget > 0; start = nextStart(text, start + 1, form)) {
    const { records, stopped, read } = recordsFrom(line.bytes, text, start, form)
    if (stopped === text.length && records.length > 0) return { records: [...whole, ...records], unread: "before" }
    budget -= read
  }
  return { records: whole, unread: "end" }
}

/** Where the next record can begin; -1 where none can. */
function nextStart(text: string, from: number, { start }: RecordForm): number {
  start.lastIndex = from
  return start.exec(text)?.index ?? -1
}

/** The records that follow each other from `start` on, and where that ends. `read` is how much was looked at. */
function recordsFrom(
  bytes: Uint8Array,
  text: string,
  start: number,
  form: RecordForm,
): { records: RecoveredRecord[]; stopped: number; read: number } {
  const records: RecoveredRecord[] = []
  let at = start
  while (text[at] === "{") {
    const to = endOfObject(text, at)
    if (to === undefined) return { records, stopped: at, read: text.length - start }
    const value = parseRecord(decodeText(bytes.subarray(at, to)), form)
    if (value === undefined) return { records, stopped: at, read: to - start }
    records.push({ value, from: at, to })
    at = behindSpaces(text, to)
  }
  return { records, stopped: at, read: at - start }
}

/** The index behind the brace that closes the one at `start`, braces in strings not counted. */
function endOfObject(text: string, start: number): number | undefined {
  let depth = 0
  let inString = false
  for (let at = start; at < text.length; at++) {
    const unit = text[at]
    if (inString) {
      if (unit === "\\") at += 1
      else if (unit === '"') inString = false
    } else if (unit === '"') inString = true
    else if (unit === "{") depth += 1
    else if (unit === "}" && --depth === 0) return at + 1
  }
  return undefined
}

/** Only what looks like a record. */
function parseRecord(text: string, form: RecordForm): JsonObject | undefined {
  const value = parsedJson(text)
  return isJsonObject(value) && form.isRecord(value) ? value : undefined
}

/** An entry has a type and an id; a parent that is neither a string nor null is read as none. */
export function toEntry({ value }: Pick<LogRecord, "value">): SessionEntry | undefined {
  if (typeof value.type !== "string" || typeof value.id !== "string" || value.id === "") return undefined
  const fits = value.parentId === null || typeof value.parentId === "string"
  return (fits ? value : { ...value, parentId: null }) as unknown as SessionEntry
}
