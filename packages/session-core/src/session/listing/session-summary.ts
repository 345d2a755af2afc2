import type { StorageStat } from "../../ports/storage-stat.js"
import type { CachedSummary, SummaryState } from "../../ports/summary-cache.js"
import { brokenFacts, type ErrorInfo, type SessionFacts } from "./session-info.js"

/** Incremented when a summary means something else, or the same bytes give another one. */
const SUMMARY_VERSION = 3

/** A session as a `SummaryCache` keeps it. */
export interface SessionSummary extends SummaryState {
  readonly info: SessionFacts
  readonly resume: ResumePoint
}

/** Where reading can resume when the session has grown, and what `info` does not say of the bytes up to there. */
export interface ResumePoint {
  /** The end of the last line that has a line end. Bytes. */
  readonly size: number
  /** The end of the header. Bytes; 0 where reading cannot resume. */
  readonly headSize: number
  /** Fingerprints of the bytes before `headSize`, and of the last ones before `size`: both must still be the same. */
  readonly head: number
  readonly tail: number
  /** The times in the header and in the newest message. Milliseconds since 1970; 0 where there is none. */
  readonly created: number
  readonly modified: number
  /** The facts up to `size`, where the last line has no line end: it may be half written, and is read again. */
  readonly info?: SessionFacts
}

export const NO_RESUME: ResumePoint = { size: 0, headSize: 0, head: 0, tail: 0, created: 0, modified: 0 }

export function newSummary(info: SessionFacts, resume: ResumePoint): SessionSummary {
  return { version: SUMMARY_VERSION, cwd: info.error ? undefined : info.cwd, modified: info.modified, info, resume }
}

/** The summary of what is no session. It is read anew when it changes. */
export function brokenSummary(id: string | undefined, error: ErrorInfo, stat: StorageStat): SessionSummary {
  return newSummary(brokenFacts(id, error, stat), NO_RESUME)
}

/** The summary in a cache, if this release can read it. */
export function summaryIn(cached: CachedSummary | undefined): SessionSummary | undefined {
  return cached?.state.version === SUMMARY_VERSION ? (cached.state as SessionSummary) : undefined
}
