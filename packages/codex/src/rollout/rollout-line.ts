import type { Line } from "@treelog/session-core/adapter"
import { isObject, type Json, recordsIn, textIn } from "@treelog-internal/agent-files"

/** A line of a rollout. */
export interface RolloutLine {
  /** ISO 8601; undefined in files of 2025 that have none. */
  readonly timestamp: string | undefined
  /** In newer versions, its place in the history of the thread. */
  readonly ordinal: number | undefined
  /** Such as `response_item`. */
  readonly type: string
  readonly payload: Json
}

/** How records begin that were glued together. */
export const FORM = { start: /\{"timestamp":/g, isRecord: () => true }

/** The first record of a line; undefined for a blank one. What cannot be read has the type `damaged`. */
export function readRolloutLine(line: Line): RolloutLine | undefined {
  for (const record of recordsIn(line, FORM)) {
    if ("value" in record) return rolloutLine(record.value)
    if ("torn" in record || record.data) return rolloutLine({ type: "damaged", payload: {} })
  }
  return undefined
}

/** The head of a rollout: of its first line, or of the first that can be read. Undefined where that is none. */
export function headIn(lines: Iterable<Line>): Json | undefined {
  for (const line of lines) {
    const first = readRolloutLine(line)
    if (first && first.type !== "damaged") return first.type === "session_meta" ? first.payload : undefined
  }
  return undefined
}

/** In the oldest files items stand without an envelope, and the first line is the bare head. */
export function rolloutLine(value: Json): RolloutLine {
  const timestamp = textIn(value, "timestamp")
  const ordinal = typeof value.ordinal === "number" ? value.ordinal : undefined
  const type = textIn(value, "type")
  if (type !== undefined && isObject(value.payload)) return { timestamp, ordinal, type, payload: value.payload }
  if (type !== undefined) return { timestamp, ordinal, type: "response_item", payload: value }
  if (textIn(value, "record_type") !== undefined) return { timestamp, ordinal, type: "record", payload: value }
  return { timestamp, ordinal, type: textIn(value, "id") === undefined ? "unknown" : "session_meta", payload: value }
}
