import type { StorageStat } from "../../ports/storage-stat.js"
import type { CachedSummary, SummaryState } from "../../ports/summary-cache.js"
import { brokenFacts, type ListedFacts, listedFacts } from "./session-info.js"
import type { ErrorInfo, SessionReading, SessionStatus } from "./session-reading.js"

/** Counts up whenever a summary comes to mean something else, or the same bytes come to give another one. */
const SUMMARY_VERSION = 2

/** A session as a `SummaryCache` keeps it. There may be very many: what is always there needs no name in each. */
export interface SessionSummary extends SummaryState {
  readonly info: InfoRow
  readonly resume: ResumeRow
}

type InfoRow = readonly [
  id: string,
  created: number,
  messageCount: number,
  firstMessage: string,
  size: number,
  status: SessionStatus,
  name: string | null,
  parentSession: string | null,
  error: ErrorInfo | null,
]

/** What `info` does not say of the reading that it came from. */
type ResumeRow = readonly [
  /** Of the header; null where reading cannot go on. */
  created: number | null,
  title: string | null,
  /** What the lines say that have an end. The first message is often long, and nearly always that of `info`: then it is null. */
  name: string | null,
  modified: number,
  messageCount: number,
  firstMessage: string | null,
  status: SessionStatus,
  size: number,
  lines: number,
  headLength: number,
  headFingerprint: number,
  tailLength: number,
  tailFingerprint: number,
]

/** @param id the id in the key */
export function summaryOf(reading: SessionReading, id: string | undefined, stat: StorageStat): SessionSummary {
  const { header, error, facts } = reading
  const info = header ? listedFacts(header, reading.factsWithRest ?? facts, stat) : brokenFacts(id, error, stat)
  const { name = null, parentSession = null, error: errorInfo = null } = info
  return {
    version: SUMMARY_VERSION,
    cwd: header?.cwd,
    modified: info.modified,
    info: [
      info.id,
      info.created,
      info.messageCount,
      info.firstMessage,
      info.size,
      info.status,
      name,
      parentSession,
      errorInfo,
    ],
    resume: resumeOf(reading, info),
  }
}

function resumeOf({ header, facts, size, lines, head, tail }: SessionReading, info: ListedFacts): ResumeRow {
  const { name = null, modified, messageCount, status } = facts
  const firstMessage = facts.firstMessage === info.firstMessage ? null : facts.firstMessage
  const [created, title] = header && size > 0 ? [header.created, header.title ?? null] : [null, null]
  const said = [name, modified, messageCount, firstMessage, status] as const
  return [created, title, ...said, size, lines, head.length, head.print, tail.length, tail.print]
}

/** What a list says of it. */
export function factsIn({ cwd = "", modified, info }: SessionSummary): ListedFacts {
  const [id, created, messageCount, firstMessage, size, status, name, parentSession, error] = info
  return {
    id,
    cwd,
    ...(name !== null && { name }),
    ...(parentSession !== null && { parentSession }),
    created,
    modified,
    messageCount,
    firstMessage,
    size,
    status,
    ...(error !== null && { error }),
  }
}

/** The reading that a summary came from, without a last line that had no end; undefined where it cannot go on. */
export function readingOf({ cwd = "", info, resume }: SessionSummary): SessionReading | undefined {
  const [created, title, name, modified, messageCount, first, status, size, lines, ...prints] = resume
  const [headLength, headFingerprint, tailLength, tailFingerprint] = prints
  const [id, , , firstMessage, , , , parentSession] = info
  if (created === null) return undefined
  return {
    header: { id, cwd, created, ...(parentSession !== null && { parentSession }), ...(title !== null && { title }) },
    facts: { ...(name !== null && { name }), modified, messageCount, firstMessage: first ?? firstMessage, status },
    size,
    lines,
    head: { length: headLength, print: headFingerprint },
    tail: { length: tailLength, print: tailFingerprint },
  }
}

/** What a cache gave back, if this release can read it. */
export function summaryIn(cached: CachedSummary | undefined): SessionSummary | undefined {
  return cached?.state.version === SUMMARY_VERSION ? (cached.state as SessionSummary) : undefined
}
