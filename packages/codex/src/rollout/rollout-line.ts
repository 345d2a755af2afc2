import type { Line } from "@treelog/session-core/adapter"
import { isObject, type Json, recordsIn, type SourceRecord, textIn } from "@treelog-internal/agent-files"

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

/** A line, or what stands in its place. */
export type ReadLine = { readonly line: RolloutLine } | Exclude<SourceRecord, { readonly value: Json }>

const FORM = { start: /\{"timestamp":/g, isRecord: () => true }

/** Reads a line: nothing of a blank one, and several of one that holds records which were glued together. */
export function* readRolloutLines(line: Line): Generator<ReadLine> {
  for (const record of recordsIn(line, FORM)) yield "value" in record ? { line: rolloutLine(record.value) } : record
}

/** The first record of a line, or what stands in its place; undefined for a blank one. */
export function readRolloutLine(line: Line): ReadLine | undefined {
  for (const read of readRolloutLines(line)) if (!("faults" in read) || read.data) return read
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
