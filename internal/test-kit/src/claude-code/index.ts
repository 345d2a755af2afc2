export type { ClaudeTruth, TokenCounts } from "./claude-truth.js"
export { type ClaudeFile, claudeLines, generateClaudeFile } from "./generate-claude-file.js"
