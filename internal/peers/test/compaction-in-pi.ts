import type { Message, SessionEntry } from "@treelog/session-core"
import type { CompactionSettings, estimateContextTokens, findCutPoint } from "@treelog/session-core/compaction"

/** What pi gathers before it asks its model. */
export interface PiPreparation {
  readonly firstKeptEntryId: string
  readonly messagesToSummarize: Message[]
  readonly turnPrefixMessages: Message[]
  readonly isSplitTurn: boolean
  readonly tokensBefore: number
  readonly previousSummary?: string
  readonly fileOps: PiFileOperations
}

interface PiFileOperations {
  readonly read: Set<string>
}

interface Compaction {
  readonly DEFAULT_COMPACTION_SETTINGS: CompactionSettings
  estimateTokens(message: Message): number
  estimateContextTokens(messages: readonly Message[]): ReturnType<typeof estimateContextTokens>
  shouldCompact(tokens: number, window: number, settings: CompactionSettings): boolean
  findCutPoint(
    entries: readonly SessionEntry[],
    start: number,
    end: number,
    keepRecentTokens: number,
  ): ReturnType<typeof findCutPoint>
  findTurnStartIndex(entries: readonly SessionEntry[], index: number, start: number): number
  prepareCompaction(path: readonly SessionEntry[], settings: CompactionSettings): PiPreparation | undefined
  computeFileLists(fileOps: PiFileOperations): { readFiles: string[]; modifiedFiles: string[] }
  serializeConversation(messages: readonly object[]): string
  collectEntriesForBranchSummary(session: object, leafId: string, targetId: string): { entries: SessionEntry[] }
  prepareBranchEntries(
    entries: readonly SessionEntry[],
    tokenBudget: number,
  ): { messages: Message[]; totalTokens: number; fileOps: PiFileOperations }
}

const FOLDER = new URL("../node_modules/@earendil-works/pi-coding-agent/dist/core/compaction/", import.meta.url)
const parts = await Promise.all(
  ["compaction.js", "branch-summarization.js", "utils.js"].map((file) => import(new URL(file, FOLDER).href)),
)

/** The real pi 0.74.2. */
export const piCompaction = Object.assign({}, ...parts) as Compaction
