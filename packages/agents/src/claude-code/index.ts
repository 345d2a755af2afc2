export type { ConversionReport, KindCount } from "@treelog-internal/agent-files"
export type { Receipt, WriteSessionOptions, WrittenSession } from "@treelog-internal/agent-files/write"
export { ClaudeCodeStorage, type ClaudeCodeStorageOptions } from "./agent.js"
export {
  type ClaudeCodeOptions,
  type ConvertedSession,
  type ConvertedTranscript,
  convertClaudeCode,
  type NotedBeside,
  type PartSource,
} from "./convert.js"
export { removeClaudeCodeCopy, writeClaudeCode } from "./write/write-claude-code.js"
export { type ClaudeStore, type WriteSessionStoreOptions, writeSessionStore } from "./write/write-session-store.js"
