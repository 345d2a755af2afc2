// For implementations of a prompt history: shared helpers, and one in memory (FORMAT.md, section 10).

export { MemoryPromptHistory } from "./memory/memory-prompt-history.js"
export { tombstoneKeys, tombstonesFor } from "./memory/prompt-deletions.js"
export { foldPrompt, normalizePrompt } from "./memory/prompt-fold.js"
export { PromptQueue } from "./memory/prompt-queue.js"
export { acceptPrompt, dropSecretPrompts } from "./memory/prompt-rules.js"
export { isInPromptScope } from "./memory/prompt-scope.js"
export { matchesTerms, promptTerms, requirePromptTerms } from "./memory/prompt-terms.js"
export { promptTimestamp } from "./memory/prompt-time.js"
export type {
  ImportedPrompt,
  Prompt,
  PromptHistory,
  PromptHistoryOptions,
  PromptIgnoreRules,
  PromptImportOptions,
  PromptImportProgress,
  PromptImportReport,
  PromptListOptions,
  PromptOrigin,
  PromptScope,
  PromptSelection,
  PromptStats,
  SecretCheck,
} from "./ports/prompt-history.js"
