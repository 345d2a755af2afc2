export type { ConversionReport, KindCount } from "@treelog-internal/agent-files"
export {
  type ClaudeCodeOptions,
  type ConvertedSession,
  type ConvertedTranscript,
  convertClaudeCode,
  type PartSource,
} from "./convert.js"
export { ClaudeCodeStorage, type ClaudeCodeStorageOptions, claudeCodeFolder } from "./store/claude-code-storage.js"
