import type { partOf } from "@treelog/session-core/adapter"
import type { ModelUsage } from "@treelog/session-core/search"
import type { ExportedImage } from "./message-markdown.js"

export type PartName = NonNullable<ReturnType<typeof partOf>>["name"]

/** A text or an image. Its data can be a reference to a blob, where that was not restored. */
export type StepContent =
  | { readonly type: "text"; readonly text: string }
  | ({ readonly type: "image" } & ExportedImage)

/** What one entry says, redacted, with all that belongs to it: a reply has its calls, and they have their results. */
export interface Step {
  /** Of its entry. */
  readonly id: string
  /** The step before it on its path; null where it is the first. Where that is not the step before it, another branch begins. */
  readonly parentId: string | null
  /** Milliseconds since 1970; undefined where the entry has no time. */
  readonly time: number | undefined
  /** When the entry before it on its path was made. */
  readonly timeBefore: number | undefined
  readonly source: "user" | "agent" | "system"
  /** The role of its message, or the type of its entry. */
  readonly kind: string
  readonly content: readonly StepContent[]
  /** Of an agent's step, unless it is a result without a call. */
  readonly reply?: StepReply
  /** Results whose call is not there. */
  readonly results: readonly StepResult[]
  /** What calls of models used that are none of these replies: summaries, tools. */
  readonly otherUsages: readonly ModelUsage[]
  /** Sub-agents that no call names. */
  readonly parts: readonly PartName[]
  /** Whether another transcript of the export has it. Then it has no usage. */
  readonly isCopy: boolean
  /** What it does to the context of the model. */
  readonly context?: StepContext
}

/** How a step changes what the model gets. */
export interface StepContext {
  readonly type: "compaction" | "reset" | "edit"
  /** Of a compaction: the entry from which on it still gets what was said; undefined where that is nothing. */
  readonly firstKeptEntryId?: string
  /** Of an edit: the entry whose message it gets no more, or gets otherwise. */
  readonly targetId?: string
}

export interface StepReply {
  readonly provider: string | undefined
  readonly model: string | undefined
  readonly responseId: string | undefined
  readonly thinking: readonly string[]
  readonly calls: readonly StepCall[]
  readonly usage: ModelUsage | undefined
  readonly stopReason: string | undefined
  readonly errorMessage: string | undefined
  /** The thinking level that was set. */
  readonly level: string | undefined
  /** Whether the model got a summary of what was said before a compaction. */
  readonly isCompacted: boolean
}

export interface StepCall {
  /** No other call of the reply has it. */
  readonly id: string
  readonly name: string
  readonly arguments: object
  /** None where none was stored; several where branches have one each. */
  readonly results: readonly StepResult[]
  /** Sub-agents that work for it. */
  readonly parts: readonly PartName[]
}

export interface StepResult {
  /** Of its entry. */
  readonly id: string
  readonly callId: string
  readonly toolName: string
  readonly time: number | undefined
  readonly content: readonly StepContent[]
  readonly isError: boolean
}
