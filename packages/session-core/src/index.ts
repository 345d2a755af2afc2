export { buildSessionContext, type SessionContext } from "./context/build-context.js"
export { buildTranscript, type TranscriptItem } from "./context/transcript.js"
export { type Diagnostic, isDamage } from "./entry/diagnostic.js"
export {
  CURRENT_VERSION,
  type EntryOfType,
  isEntry,
  type SessionEntry,
  type SessionHeader,
} from "./entry/entry.js"
export type {
  AssistantMessage,
  ContentBlock,
  ImageContent,
  LostResult,
  Message,
  TextContent,
  ToolCall,
  ToolResultMessage,
  Usage,
  UserMessage,
} from "./entry/message.js"
export { contentText, messageText } from "./entry/values.js"
export {
  isTreelogError,
  TreelogError,
  type TreelogErrorCode,
} from "./errors.js"
export { MemoryBlobStore } from "./memory/memory-blob-store.js"
export { MemorySessionStorage } from "./memory/memory-session-storage.js"
export type { BlobSource, BlobStore, StoredBlob } from "./ports/blob-store.js"
export type { Clock } from "./ports/clock.js"
export type { SessionSource } from "./ports/session-source.js"
export type { SessionStorage } from "./ports/session-storage.js"
export { readSession } from "./session/blob-source/read-session.js"
export type { SessionInfo } from "./session/listing/session-info.js"
export { Session } from "./session/session.js"
export { SessionManager, type SessionManagerOptions } from "./session/session-manager.js"
export type { CreateOptions } from "./session/session-options.js"
export type { SessionTreeNode } from "./tree/tree-node.js"
