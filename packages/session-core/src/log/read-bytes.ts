import type { SessionHeader } from "../entry/entry.js"
import { isJsonObject, type JsonObject } from "../entry/values.js"
import { indexOfByte } from "./byte-text.js"
import type { Place } from "./line.js"
import { type LogRecord, strictText } from "./parse-line.js"
import { isHeader, LogReader, type SessionLog, versionOf } from "./session-log.js"
import { linesOf } from "./split-lines.js"

const LF = 0x0a
const CR = 0x0d
/** Larger sessions are cut into lines before they become text. Bytes. */
const ONE_TEXT = 4_194_304

/** `readLog` of bytes that are at hand. @throws InvalidSessionError */
export function readLogBytes(bytes: Uint8Array, key: string): SessionLog | undefined {
  return (bytes.length <= ONE_TEXT ? readPlain(bytes) : undefined) ?? readLines(bytes, key)
}

function readLines(bytes: Uint8Array, key: string): SessionLog | undefined {
  const reader = new LogReader(key)
  const records: LogRecord[] = []
  for (const line of linesOf(bytes)) for (const record of reader.push(line)) records.push(record)
  const outline = reader.finish()
  return outline && { ...outline, records }
}

/**
 * Nothing is unusual about most sessions: a header, then one object on each line. `JSON.parse` is all that they need. Undefined for any
 * other, which is read line by line.
 */
function readPlain(bytes: Uint8Array): SessionLog | undefined {
  const records: LogRecord[] = []
  let first: { header: SessionHeader; headerPlace: Place } | undefined
  let line = 0
  try {
    for (let offset = 0; offset < bytes.length; ) {
      const end = indexOfByte(bytes, LF, offset)
      if (end === -1 || bytes[end - 1] === CR) return undefined
      const value: unknown = JSON.parse(strictText(bytes.subarray(offset, end)))
      const place = { line: ++line, offset, length: end - offset }
      if (!isJsonObject(value)) return undefined
      if (first) {
        if (value.type === "session") return undefined
        records.push({ value, place })
      } else if (isSoundHeader(value)) first = { header: value, headerPlace: place }
      else return undefined
      offset = end + 1
    }
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof TypeError || error instanceof RangeError) return undefined
    throw error
  }
  if (!first) return undefined
  const end = { size: bytes.length, lines: line, terminated: true }
  return { ...first, records, version: versionOf(first.header), titleSlot: undefined, diagnostics: [], end }
}

function isSoundHeader(value: JsonObject): value is SessionHeader {
  return isHeader(value) && typeof value.timestamp === "string" && typeof value.cwd === "string"
}
