export type { SqliteDatabase, SqliteDriver, SqliteStatement, SqliteValue } from "@treelog-internal/sqlite"
export { type IgnoreReason, ignoreReason } from "./ignore-rules.js"
export { claudePrompt } from "./import/claude-prompt.js"
export { codexPrompt } from "./import/codex-prompt.js"
export { promptsOfFile } from "./import/prompts-of-file.js"
export { promptsOfSessions } from "./import/prompts-of-sessions.js"
export type {
  ImportedPrompt,
  Prompt,
  PromptIgnoreRules,
  PromptImportOptions,
  PromptImportReport,
  PromptListOptions,
  PromptOrigin,
  PromptScope,
  PromptSelection,
  PromptStats,
  SecretCheck,
} from "./prompt.js"
export { repositoryScope } from "./repository-scope.js"
export { isInPromptScope } from "./search/prompt-scope.js"
export { SqlitePromptHistory, type SqlitePromptHistoryOptions } from "./sqlite-prompt-history.js"
