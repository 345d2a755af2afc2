import {
  type CompactionPreparation,
  type CompactionSettings,
  DEFAULT_COMPACTION_SETTINGS,
  estimateTokens,
  type Message,
  prepareCompaction,
  type Session,
  type SessionEntry,
} from "@treelog/session-core"

/** Some messages, and how large they are. */
export interface Extent {
  readonly messages: number
  /** An estimate. */
  readonly tokens: number
}

/** What a compaction of a session would do. */
export interface CompactionPlan {
  readonly preparation: CompactionPreparation
  readonly summarize: Extent
  /** That part of it which belongs to the turn that is cut in two. */
  readonly turnPrefix: Extent
  readonly keep: Extent
}

/** What was put into the session. */
export interface Compacted extends CompactionPlan {
  readonly entryId: string
  readonly summary: string
  /** Size of the context now, in tokens. */
  readonly tokensAfter: number
}

/**
 * @param keepTokens about how many tokens of the newest messages are kept
 * @returns undefined when there is nothing to summarize
 */
export function planCompaction(session: Session, keepTokens: number | undefined): CompactionPlan | undefined {
  const path = pathOf(session)
  const preparation = prepareCompaction(path, { ...DEFAULT_COMPACTION_SETTINGS, ...settingsFor(keepTokens) })
  if (!preparation) return undefined
  const { messagesToSummarize, turnPrefixMessages, firstKeptEntryId } = preparation
  return {
    preparation,
    summarize: extentOf([...messagesToSummarize, ...turnPrefixMessages]),
    turnPrefix: extentOf(turnPrefixMessages),
    keep: extentOf(keptMessages(session, path, firstKeptEntryId)),
  }
}

/** What differs from the defaults. */
export function settingsFor(keepTokens: number | undefined): Partial<CompactionSettings> {
  return keepTokens === undefined ? {} : { keepRecentTokens: keepTokens }
}

export function pathOf(session: Session): SessionEntry[] {
  return session.getLeafId() === null ? [] : session.getBranch()
}

/** What the model gets of the path from this entry on. */
function keptMessages(session: Session, path: readonly SessionEntry[], firstKeptId: string): Message[] {
  const from = path.findIndex(({ id }) => id === firstKeptId)
  const kept = new Set(path.slice(from).map(({ id }) => id))
  const { messages, entries } = session.buildSessionContext()
  return messages.filter((_, index) => kept.has(entries[index] ?? ""))
}

function extentOf(messages: readonly Message[]): Extent {
  return { messages: messages.length, tokens: messages.reduce((sum, message) => sum + estimateTokens(message), 0) }
}
