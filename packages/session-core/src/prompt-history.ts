// For implementations of a prompt history: shared helpers, and one in memory (FORMAT.md, section 10).

export { foldText } from "./entry/fold-text.js"
export { MemoryPromptHistory } from "./memory/memory-prompt-history.js"
export { PromptQueue } from "./memory/prompt-queue.js"
export {
  acceptPrompt,
  dropSecretPrompts,
  isInPromptScope,
  matchesTerms,
  promptTerms,
  promptTimestamp,
  requirePromptTerms,
  tombstoneKeys,
  tombstonesFor,
} from "./memory/prompt-rules.js"
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
