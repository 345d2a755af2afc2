import { type SessionInfo, sessionInfo } from "../../src/session/find/session-info.js"
import type { SessionSummary } from "../../src/session/find/session-summary.js"
import { SummaryReader } from "../../src/session/find/summary-reader.js"
import { KEY, statOf } from "./full-summary.js"

/** The summary of the bytes, read in those chunks; where a former one is given, only what that one did not see. */
export function summaryOf(bytes: Uint8Array, chunks?: Uint8Array[], former?: SessionSummary): SessionSummary {
  const start = former && former.size > 0 ? lastSeen(bytes, former) : undefined
  const reader = new SummaryReader(KEY, start)
  for (const chunk of chunks ?? [bytes.subarray(start ? start.summary.size : 0)]) {
    if (!reader.hasEnded) reader.push(chunk)
  }
  return JSON.parse(JSON.stringify(reader.finish()))
}

function lastSeen(bytes: Uint8Array, summary: SessionSummary): { summary: SessionSummary; tail: Uint8Array } {
  return { summary, tail: bytes.subarray(summary.size - summary.tail.length, summary.size) }
}

export function infoOf(bytes: Uint8Array, summary: SessionSummary): SessionInfo {
  return sessionInfo(summary, KEY, "x", statOf(bytes))
}
