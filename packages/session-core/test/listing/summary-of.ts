import type { SessionInfo } from "../../src/session/listing/session-info.js"
import {
  factsIn,
  readingOf,
  type SessionSummary,
  summaryOf as summaryFrom,
} from "../../src/session/listing/session-summary.js"
import { SummaryReader } from "../../src/session/listing/summary-reader.js"
import { KEY, statOf } from "./full-summary.js"

/** The summary of the bytes, read in those chunks; where a former one is given, only what that one did not see. */
export function summaryOf(bytes: Uint8Array, chunks?: Uint8Array[], former?: SessionSummary): SessionSummary {
  const reading = former && readingOf(former)
  const tail = reading && bytes.subarray(reading.size - reading.tail.length, reading.size)
  const reader = new SummaryReader(KEY, reading && tail && { reading, tail })
  for (const chunk of chunks ?? [bytes.subarray(reading?.size ?? 0)]) {
    if (!reader.hasEnded) reader.push(chunk)
  }
  return JSON.parse(JSON.stringify(summaryFrom(reader.finish(), "x", statOf(bytes))))
}

export function infoOf(summary: SessionSummary): SessionInfo {
  return { path: KEY, ...factsIn(summary) }
}
