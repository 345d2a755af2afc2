export type { ConversionReport, KindCount } from "@treelog-internal/agent-files"
export {
  type ClaudeCodeOptions,
  type ConvertedSession,
  type ConvertedTranscript,
  convertClaudeCode,
  type PartSource,
} from "./convert.js"
export { type ClaudeCodeFacts, claudeCodeFacts, type SourceState } from "./facts/claude-code-facts.js"
export type { ByteSource } from "./source/byte-source.js"
export { ClaudeCodeStorage, type ClaudeCodeStorageOptions, claudeCodeFolder } from "./store/claude-code-storage.js"
