import { isJsonObject, type JsonObject } from "../entry/json-object.js"

export interface RecoveredRecord {
  readonly value: JsonObject
  /** Index of its first UTF-16 unit in the line, and of the one behind its last. */
  readonly from: number
  readonly to: number
}

export interface Recovered {
  readonly records: readonly RecoveredRecord[]
  /** Where there is something in the line that could not be read: at its end, or before that. */
  readonly unread: "end" | "before" | undefined
}

/**
 * Finds the whole records in a line that is not JSON: `{…}{…}`, where a writer lost the line end between two, `{…}{…torn`,
 * and `{…torn {…}`, where a record was appended behind a torn one. A record counts only if it stands at the beginning of
 * the line, or if all the rest of the line, from it to the end, is nothing but records: an object nested in a damaged record
 * must never come out as a record of its own.
 */
export function recoverRecords(text: string): Recovered {
  const first = text.indexOf("{")
  if (first === -1) return { records: [], unread: "end" }
  const front = recordsFrom(text, first)
  const atStart = text.slice(0, first).trim() === ""
  if (front.stopped === text.length) return { records: front.records, unread: atStart ? undefined : "before" }
  const whole = atStart && text.startsWith(RECORD_START, front.stopped) ? front.records : []
  let budget = text.length * 8 + 1024 - front.read
  let start = text.indexOf(RECORD_START, whole.length > 0 ? front.stopped + 1 : first + 1)
  for (; start !== -1 && budget > 0; start = text.indexOf(RECORD_START, start + 1)) {
    const { records, stopped, read } = recordsFrom(text, start)
    if (stopped === text.length && records.length > 0) return { records: [...whole, ...records], unread: "before" }
    budget -= read
  }
  return { records: whole, unread: "end" }
}

const RECORD_START = '{"type":'

/** The records that follow each other from `start` on, and where that ends. `read` is how much was looked at. */
function recordsFrom(text: string, start: number): { records: RecoveredRecord[]; stopped: number; read: number } {
  const records: RecoveredRecord[] = []
  let at = start
  while (text[at] === "{") {
    const to = endOfObject(text, at)
    if (to === undefined) return { records, stopped: at, read: text.length - start }
    const value = parseRecord(text.slice(at, to))
    if (value === undefined) return { records, stopped: at, read: to - start }
    records.push({ value, from: at, to })
    at = to
    while (/\s/.test(text.charAt(at))) at += 1
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

/** Only what looks like a header or an entry: both have a type and a time. */
function parseRecord(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text)
    const isRecord = isJsonObject(value) && typeof value.type === "string" && typeof value.timestamp === "string"
    return isRecord ? value : undefined
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}
