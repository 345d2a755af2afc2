export type { ConversionReport, ConvertedLines, KindCount } from "@treelog-internal/agent-files"
export { type ConvertedSession, convertClaudeCode } from "./convert.js"
export {
  ClaudeCodeConverter,
  type ClaudeCodeOptions,
  type ConvertedTranscript,
  type PartSource,
} from "./converter.js"
export { type ClaudeCodeFacts, claudeCodeFacts, type SourceState } from "./facts/claude-code-facts.js"
export { type ByteSource, sourceOfBytes } from "./source/byte-source.js"
export { ClaudeCodeStorage, type ClaudeCodeStorageOptions, claudeCodeFolder } from "./store/claude-code-storage.js"
