// When to compact a session, what to summarize and what to keep; moving to another branch with a summary of the one that is left.

export { compact } from "./compaction/compact.js"
export {
  type CompactionSettings,
  DEFAULT_COMPACTION_SETTINGS,
  shouldCompact,
} from "./compaction/compaction-settings.js"
export { findCutPoint } from "./compaction/find-cut-point.js"
export { navigateTo } from "./compaction/navigate-to.js"
export { planCompaction } from "./compaction/plan-compaction.js"
export { abandonedEntries, prepareBranchSummary } from "./compaction/prepare-branch-summary.js"
export { prepareCompaction } from "./compaction/prepare-compaction.js"
export { serializeConversation } from "./compaction/serialize-conversation.js"
export { summarizeBranch } from "./compaction/summarize-branch.js"
export { compactionRequests } from "./compaction/summarize-compaction.js"
export type { Summarizer } from "./compaction/summarizer.js"
export {
  estimateContextTokens,
  estimateTokens,
  sessionContextTokens,
} from "./context/context-tokens.js"
export { type ContextShare, contextUse } from "./context/context-use.js"
