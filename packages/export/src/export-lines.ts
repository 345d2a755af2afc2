import { damagedEntry, type Line, parseLine, spliceLine, splitLines } from "@treelog/session-core/adapter"
import { jsonText, parsedJson } from "@treelog/session-core/json"
import { type Fields, isObject } from "@treelog-internal/text"
import type { Redactor } from "./redaction.js"
import { saysMore } from "./says-more.js"

/** A line of a session's file as it is exported. */
export interface ExportLine {
  /** With its line end, if it has one. Bytes when it was not parsed. */
  readonly content: string | Uint8Array
  readonly isEntry: boolean
}

/** A value of a line, and the bytes that it was parsed from. */
interface LineValue {
  readonly line: Line
  readonly value: unknown
  /** Undefined where the value replaces a line that is damaged, or says more than it. */
  readonly raw: Uint8Array | undefined
}

const encoder = new TextEncoder()
const decoder = new TextDecoder("utf-8", { fatal: false, ignoreBOM: true })
/** omp rewrites its title line in place: it has this length, with the line end. Bytes. */
const TITLE_LINE = 256

/**
 * The lines of a session one by one. What does not change keeps its bytes. A line that cannot be read cannot be scanned: with
 * redaction on, several records in one line are separated, what a line says beside its value goes, an entry of which only the head can be
 * read is replaced by a placeholder, and the rest is left out.
 * @param prepare changes a record before it is redacted; returns the same object where it does not
 */
export async function* exportLines(
  bytes: AsyncIterable<Uint8Array>,
  redactor: Redactor,
  prepare: (record: object) => Promise<object>,
): AsyncGenerator<ExportLine | "left out"> {
  for await (const line of splitLines(bytes)) {
    const values = line.tooLong === undefined ? valuesOf(line, redactor.isOn) : []
    if (values.length === 0)
      yield line.tooLong === undefined && (isBlank(line) || !redactor.isOn) ? asStored(line) : "left out"
    for (const value of values) {
      const prepared = isObject(value.value) ? await prepare(value.value) : value.value
      yield written(value, redactor.value(prepared))
    }
  }
}

/** The values of a line; none of a damaged one where nothing has to be readable: it is exported as it is stored. */
function valuesOf(line: Line, mustBeReadable: boolean): LineValue[] {
  const { records, faults, lost } = parseLine(line)
  const [record] = records
  const rawOf = (one: unknown): Uint8Array | undefined =>
    mustBeReadable && saysMore(decoder.decode(line.bytes), one) ? undefined : line.bytes
  if (record && records.length === 1 && faults.length === 0)
    return [{ line, value: record.value, raw: rawOf(record.value) }]
  if (!mustBeReadable) return []
  if (records.length > 0) return records.map(({ value }) => ({ line, value, raw: undefined }))
  if (lost) return [{ line, value: damagedEntry(lost, { type: lost.type }), raw: undefined }]
  // JSON that is not an object.
  const value = parsedJson(decoder.decode(line.bytes))
  return value === undefined ? [] : [{ line, value, raw: rawOf(value) }]
}

function written({ line, value, raw }: LineValue, now: unknown): ExportLine {
  const end = raw ? lineEnd(line) : "\n"
  const isEntry = isObject(now) && now.type !== "session" && now.type !== "title"
  if (raw && now === value) return { content: before(line) + decoder.decode(raw) + end, isEntry }
  const text =
    raw && isObject(now) && isObject(value) ? decoder.decode(spliceLine(raw, value, padded(now, line))) : jsonText(now)
  return { content: before(line) + text + end, isEntry }
}

/** A title line that keeps its length. */
function padded(now: Fields, line: Line): Fields {
  const { type, pad } = now
  if (type !== "title" || typeof pad !== "string" || line.end - line.offset !== TITLE_LINE) return now
  const length = encoder.encode(jsonText({ ...now, pad: "" })).length + 1
  return { ...now, pad: " ".repeat(Math.max(0, TITLE_LINE - length)) }
}

function asStored(line: Line): ExportLine {
  const [start, end] = [before(line), lineEnd(line)].map((text) => encoder.encode(text)) as [Uint8Array, Uint8Array]
  const content = new Uint8Array(start.length + line.bytes.length + end.length)
  content.set(start)
  content.set(line.bytes, start.length)
  content.set(end, start.length + line.bytes.length)
  return { content, isEntry: false }
}

/** A BOM stays where it was. */
function before({ number, offset }: Line): string {
  return number === 1 && offset > 0 ? "\ufeff" : ""
}

function lineEnd({ bytes, offset, end }: Line): string {
  const length = end - offset - bytes.length
  return length === 2 ? "\r\n" : length === 1 ? "\n" : ""
}

function isBlank({ bytes }: Line): boolean {
  return bytes.every((byte) => byte === 0x20 || byte === 0x09 || byte === 0x0d)
}
