import type { Diagnostic } from "@treelog/session-core"
import type { Tokens } from "@treelog-internal/agent-files"

/** Records that are nodes of the conversation. */
export const NODE_ROLES = [
  "reply",
  "prompt",
  "result",
  "meta",
  "summary",
  "boundary",
  "reminder",
  "queued",
  "local-command",
] as const

export type NodeRole = (typeof NODE_ROLES)[number]

/** What a record is for the conversion. */
export type RecordRole =
  | NodeRole
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
export interface ResponseUsage extends Readonly<Tokens> {
  /** One response has one key, however many lines repeat it. */
  readonly key: string
  /** Empty where none is named. */
  readonly model: string
}

/** Tokens that a response used beside its own: of an advisor, or of a compaction by the provider. */
export type SideUsage = Omit<ResponseUsage, "key">

/** What few records have. */
export interface RareHead {
  readonly boundary?: BoundaryHead | undefined
  readonly title?: TitleHead | undefined
  readonly pin?: PinHead | undefined
  /** Of a `tag`. */
  readonly text?: string | undefined
  /** Calls, or uuids, that a record edits. */
  readonly targets?: readonly string[] | undefined
  /** Of a line of results: the sub-agent that worked for the call. */
  readonly agentId?: string | undefined
  /** Of a line of results, by block: the file that has what was too long, such as `tool-results/b1.txt`. */
  readonly keptResults?: readonly (string | undefined)[] | undefined
  /** Of a reply with usage. */
  readonly sideUsages?: readonly SideUsage[] | undefined
  /** Of a reply: an error that the client put in its place, which the model does not get. */
  readonly isApiError?: true | undefined
  /** Of a prompt that waited: the model got it in other words, which the record has. */
  readonly isRendered?: true | undefined
}

/** What a `last-prompt` says of the leaf. */
export interface PinHead {
  /** Null where it is before the first message, undefined where earlier pins are taken back. */
  readonly leaf: string | null | undefined
  /** Whether the user went there. */
  readonly isExplicit: boolean
}

export interface BoundaryHead {
  readonly logicalParent: string | undefined
  /** The first message that the compaction kept, and the last. */
  readonly firstKept: string | undefined
  readonly lastKept: string | undefined
  /** Whether the kept messages stand before the summary: it summarizes what followed them. */
  readonly keepsBefore: boolean
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
