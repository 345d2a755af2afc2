import type { Diagnostic } from "@treelog/session-core"

/** What a record is for the conversion. */
export type RecordRole =
  // nodes of the conversation
  | "reply"
  | "prompt"
  | "result"
  | "meta"
  | "summary"
  | "boundary"
  | "reminder"
  | "queued"
  // others
  | "title"
  | "last-prompt"
  | "tag"
  | "microcompact"
  | "replacement"
  | "refusal"
  | "progress"
  | "keep"
  | "skip"
  | "damaged"

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

/** A call of a tool in a reply. */
export interface CallHead {
  readonly id: string
  readonly name: string
}

/** What linking and ordering need of a record. The rest is read again when its entry is made. */
export interface SourceRecord {
  /** From 1. */
  readonly line: number
  /** Position among the records of its line, from 0: some lines hold two that were glued together. */
  readonly part: number
  /** Bytes from the start of the file. */
  readonly offset: number
  /** Bytes. */
  readonly length: number
  /** Such as `user` or `progress:hook_progress`. */
  readonly kind: string
  readonly role: RecordRole
  readonly uuid: string | undefined
  readonly parent: string | undefined
  /** As it is in the file. */
  readonly time: string | undefined
  readonly isSidechain: boolean
  /** An index of `SourceIndex.places`; -1 where the record names no folder. */
  readonly place: number
  /** Of replies and nested replies of sub-agents; never of what the client made itself. */
  readonly usage?: ResponseUsage | undefined
  readonly reply?: ReplyHead | undefined
  readonly result?: ResultHead | undefined
  readonly boundary?: BoundaryHead | undefined
  readonly title?: TitleHead | undefined
  /** Of a `last-prompt`: the pinned leaf, null to clear it. */
  readonly leaf?: string | null | undefined
  /** Of a `tag`; of a prompt, its text in a short form to compare it. */
  readonly text?: string | undefined
  /** Calls, or uuids, that a record edits. */
  readonly targets?: readonly string[] | undefined
  /** Of a prompt: it says that the user interrupted the reply. */
  readonly isInterruption?: boolean | undefined
}

export interface ReplyHead {
  /** The lines of one reply have the same. */
  readonly key: string
  /** Undefined for `<synthetic>`. */
  readonly model: string | undefined
  readonly calls: readonly CallHead[]
  readonly stopReason: string | undefined
}

export interface ResultHead {
  /** By block; undefined where a block names no call. */
  readonly calls: readonly (string | undefined)[]
  /** Whether the line has other blocks than results. */
  readonly hasRest: boolean
  /** The uuid of the line of the reply that made the call. */
  readonly caller: string | undefined
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
