export { buildSessionContext, type ContextOptions, type SessionContext } from "./context/build-context.js"
export { buildTranscript, type TranscriptItem } from "./context/transcript.js"
export { type Diagnostic, type DiagnosticKind, isDamage } from "./entry/diagnostic.js"
export {
  type BranchSummaryEntry,
  type CompactionEntry,
  type ContextEditEntry,
  CURRENT_VERSION,
  type CustomEntry,
  type CustomMessageEntry,
  type EntryHead,
  type EntryOfType,
  isEntry,
  type KnownEntry,
  type LabelEntry,
  type LeafEntry,
  type MessageEntry,
  type ModeChangeEntry,
  type ModelChangeEntry,
  type OtherEntry,
  type ResetBoundaryEntry,
  type SessionEntry,
  type SessionHeader,
  type SessionInfoEntry,
  type SessionInitEntry,
  type ThinkingLevelChangeEntry,
  type TitleChangeEntry,
  type TtsrInjectionEntry,
  type UsageEntry,
} from "./entry/entry.js"
export type {
  AssistantMessage,
  BashExecutionMessage,
  BranchSummaryMessage,
  CompactionSummaryMessage,
  ContentBlock,
  CustomMessage,
  FileMentionMessage,
  HookMessage,
  ImageContent,
  LostResult,
  MentionedFile,
  Message,
  OtherMessage,
  PythonExecutionMessage,
  RemoteCompaction,
  TextContent,
  ThinkingContent,
  ToolCall,
  ToolResultMessage,
  UnknownContent,
  Usage,
  UserMessage,
} from "./entry/message.js"
export type { CompactionExtras, NewEntry } from "./entry/new-entry.js"
export type { Checkpoint, ContextSettings, ModelRef } from "./entry/settings.js"
export { contentText, messageText } from "./entry/values.js"
export {
  isTreelogError,
  type SessionCandidate,
  TreelogError,
  type TreelogErrorCode,
  type TreelogErrorData,
} from "./errors.js"
export { MemoryBlobStore } from "./memory/memory-blob-store.js"
export { MemorySessionStorage } from "./memory/memory-session-storage.js"
export type { BlobStore, StoredBlob } from "./ports/blob-store.js"
export type { Clock } from "./ports/clock.js"
export type { IdSource } from "./ports/ids.js"
export type { SessionStorage } from "./ports/session-storage.js"
export type { SourceBlob, SourceStream } from "./session/blob-source/blob-storage.js"
export { type ReadSessionOptions, readSession } from "./session/blob-source/read-session.js"
export type { SessionOutline, SessionReader } from "./session/blob-source/session-reader.js"
export type { SessionRef } from "./session/listing/resolve-ref.js"
export type { ErrorInfo, SessionInfo, SessionStatus } from "./session/listing/session-info.js"
export { Session } from "./session/session.js"
export { SessionManager, type SessionManagerOptions } from "./session/session-manager.js"
export type {
  CreateOptions,
  InMemoryOptions,
  NewSessionOptions,
  OpenOptions,
  OpenSyncOptions,
  Persist,
  WriteOptions,
} from "./session/session-options.js"
export type { RetryOptions } from "./session/writer/session-store.js"
export type { SessionTreeNode } from "./tree/tree-node.js"
