// When to compact a session, what to summarize and what to keep; moving to another branch with a summary of the one that is left.

export { type CompactOptions, type CompactOutcome, compact } from "./compaction/compact.js"
export {
  type CompactionSettings,
  DEFAULT_COMPACTION_SETTINGS,
  shouldCompact,
} from "./compaction/compaction-settings.js"
export { type CutPoint, findCutPoint } from "./compaction/find-cut-point.js"
export { type NavigateOptions, type Navigation, navigateTo } from "./compaction/navigate-to.js"
export { type CompactionPlan, planCompaction } from "./compaction/plan-compaction.js"
export { abandonedEntries, type BranchPreparation, prepareBranchSummary } from "./compaction/prepare-branch-summary.js"
export { type CompactionPreparation, prepareCompaction } from "./compaction/prepare-compaction.js"
export { serializeConversation } from "./compaction/serialize-conversation.js"
export {
  type BranchSummaryOptions,
  type BranchSummaryOutcome,
  summarizeBranch,
} from "./compaction/summarize-branch.js"
export { type CompactionRequests, compactionRequests } from "./compaction/summarize-compaction.js"
export type { SummarizeOptions, Summarizer, Summary, SummaryRequest } from "./compaction/summarizer.js"
export {
  type ContextTokens,
  estimateContextTokens,
  estimateTokens,
  sessionContextTokens,
} from "./context/context-tokens.js"
export { type ContextPart, type ContextShare, contextUse } from "./context/context-use.js"
export type { FileLists } from "./context/file-operations.js"
