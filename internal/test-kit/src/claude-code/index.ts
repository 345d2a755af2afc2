export type { ClaudeTruth, TokenCounts } from "./claude-truth.js"
export { type ClaudeFile, claudeLines, claudeTurns, generateClaudeFile } from "./generate-claude-file.js"
