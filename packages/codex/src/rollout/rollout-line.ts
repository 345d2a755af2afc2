import type { Diagnostic } from "@treelog/session-core"
import type { Line } from "@treelog/session-core/adapter"
import { parseLine } from "@treelog/session-core/adapter"
import { damagedData, isObject, type Json, textIn } from "@treelog-internal/agent-files"

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

/** A line, or why it cannot be read. */
export type ReadLine =
  | { readonly line: RolloutLine }
  | { readonly faults: readonly Diagnostic[]; readonly data: ReturnType<typeof damagedData> }

/** Reads a line; undefined for a blank one. Of records that were glued together nothing is guessed: the line counts as damaged. */
export function readRolloutLine(line: Line): ReadLine | undefined {
  const { records, faults } = parseLine(line)
  const [record] = records
  if (record && faults.length === 0) return { line: rolloutLine(record.value) }
  if (faults.length === 0) return undefined
  return { faults, data: damagedData(line.tooLong ?? line.bytes.length, () => new TextDecoder().decode(line.bytes)) }
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
