import { isJsonObject, type JsonObject } from "../entry/json-object.js"

export interface RecoveredRecord {
  readonly value: JsonObject
  /** Index of its first UTF-16 unit in the line, and of the one behind its last. */
  readonly from: number
  readonly to: number
}

/**
 * Finds the whole records in a line that is not JSON: `{…}{…}`, where a writer lost the line end between two, and
 * `{…torn {…}`, where a record was appended behind a torn one. A record counts only if the rest of the line, from it to
 * the end, is nothing but records: an object nested in a damaged record must never come out as a record of its own.
 */
export function recoverRecords(text: string): { records: RecoveredRecord[]; complete: boolean } {
  let budget = text.length * 8 + 1024
  for (let start = text.indexOf("{"); start !== -1 && budget > 0; start = text.indexOf('{"type":', start + 1)) {
    const { records, read } = recordsToTheEnd(text, start)
    if (records.length > 0) return { records, complete: text.slice(0, start).trim() === "" }
    budget -= read
  }
  return { records: [], complete: false }
}

/** The records that fill the text from `start` to its end, or none. `read` is how much was looked at. */
function recordsToTheEnd(text: string, start: number): { records: RecoveredRecord[]; read: number } {
  const records: RecoveredRecord[] = []
  let at = start
  while (at < text.length) {
    const to = endOfObject(text, at)
    if (to === undefined) return { records: [], read: text.length - start }
    const value = parseRecord(text.slice(at, to))
    if (value === undefined) return { records: [], read: to - start }
    records.push({ value, from: at, to })
    at = to
    while (/\s/.test(text.charAt(at))) at += 1
    if (at < text.length && text[at] !== "{") return { records: [], read: to - start }
  }
  return { records, read: text.length - start }
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
