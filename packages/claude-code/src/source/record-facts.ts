import type { Diagnostic } from "@treelog/session-core"

/** What a record is for the conversion. The first eight are nodes of the conversation. */
export const ROLES = [
  "reply",
  "prompt",
  "result",
  "meta",
  "summary",
  "boundary",
  "reminder",
  "queued",
  "title",
  "last-prompt",
  "tag",
  "microcompact",
  "replacement",
  "refusal",
  "progress",
  "keep",
  "skip",
  "damaged",
] as const

export type RecordRole = (typeof ROLES)[number]

/** Tokens of one response, as the provider counted them. */
export interface ResponseUsage {
  /** One response has one key, however many lines repeat it. */
  readonly key: string
  readonly model: string
  readonly input: number
  readonly output: number
  readonly cacheRead: number
  readonly cacheWrite: number
}

/** What few records have. */
export interface RareHead {
  readonly boundary?: BoundaryHead | undefined
  readonly title?: TitleHead | undefined
  /** Of a `last-prompt`: the pinned leaf, null to clear it. */
  readonly leaf?: string | null | undefined
  /** Of a `tag`. */
  readonly text?: string | undefined
  /** Calls, or uuids, that a record edits. */
  readonly targets?: readonly string[] | undefined
}

export interface BoundaryHead {
  readonly logicalParent: string | undefined
  /** The first message that the compaction kept. */
  readonly firstKept: string | undefined
}

export interface TitleHead {
  readonly source: "custom-title" | "agent-name" | "ai-title" | "summary"
  readonly text: string
  /** Of a summary: a line of the session that it belongs to. */
  readonly leaf: string | undefined
}

/** The folder and the branch of git that a record was written in. */
export interface RecordPlace {
  readonly cwd: string
  readonly gitBranch: string | undefined
}

/** Faults of the lines of a source. */
export interface LineFault {
  /** The record count when it was found: faults behind a cut are not reported yet. */
  readonly at: number
  readonly diagnostic: Diagnostic
}
