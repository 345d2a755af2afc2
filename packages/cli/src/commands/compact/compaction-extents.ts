import { type CompactionPlan, estimateTokens, type Message } from "@treelog/session-core"

/** Some messages, and how large they are. */
export interface Extent {
  readonly messages: number
  /** An estimate. */
  readonly tokens: number
}

/** How much a compaction would summarize and keep. */
export interface CompactionExtents {
  readonly summarize: Extent
  /** That part of it which belongs to the turn that is cut in two. */
  readonly turnPrefix: Extent
  readonly keep: Extent
}

export function extentsOf(plan: CompactionPlan): CompactionExtents {
  const { messagesToSummarize, turnPrefixMessages, messagesToKeep } = plan
  return {
    summarize: extentOf([...messagesToSummarize, ...turnPrefixMessages]),
    turnPrefix: extentOf(turnPrefixMessages),
    keep: extentOf(messagesToKeep),
  }
}

export function extentOf(messages: readonly Message[]): Extent {
  return { messages: messages.length, tokens: messages.reduce((sum, message) => sum + estimateTokens(message), 0) }
}
