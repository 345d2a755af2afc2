export {
  type CompactionSettings,
  DEFAULT_COMPACTION_SETTINGS,
  shouldCompact,
} from "./compaction/compaction-settings.js"
export { type ContextTokens, estimateContextTokens, estimateTokens } from "./compaction/context-tokens.js"
export type { FileLists } from "./compaction/file-operations.js"
export { type CutPoint, findCutPoint } from "./compaction/find-cut-point.js"
export { type BranchPreparation, prepareBranchSummary } from "./compaction/prepare-branch-summary.js"
export { type CompactionPreparation, prepareCompaction } from "./compaction/prepare-compaction.js"
export { serializeConversation } from "./compaction/serialize-conversation.js"
export type { SummarizeOptions, Summarizer, Summary, SummaryRequest } from "./compaction/summarizer.js"
export { buildSessionContext, type ContextOptions, type SessionContext } from "./context/build-context.js"
export type { FileEdit, FileWrite } from "./context/file-change.js"
export { convertThinking, type ThinkingTarget } from "./context/llm/convert-thinking.js"
export type { LlmMessage, SystemMessage } from "./context/llm/convert-to-llm.js"
export { convertToLlm, type LlmDiagnostic, type LlmMessages } from "./context/llm/convert-to-llm.js"
export type { ContextChange, ContextChangeKind, RepairOptions } from "./context/llm/repair/context-change.js"
export { type RepairedContext, repairContext } from "./context/llm/repair/repair-context.js"
export { fromUIMessages, type UIMessageOptions } from "./context/llm/wire/from-ui-messages.js"
export type {
  AnthropicDocument,
  AnthropicImage,
  AnthropicMessage,
  AnthropicMessages,
  AnthropicText,
  AnthropicThinking,
  AnthropicToolResult,
  AnthropicToolUse,
} from "./context/llm/wire/to-anthropic-messages.js"
export { toAnthropicMessages } from "./context/llm/wire/to-anthropic-messages.js"
export type {
  ModelFile,
  ModelImage,
  ModelMessage,
  ModelProviderOptions,
  ModelReasoning,
  ModelResultPart,
  ModelText,
  ModelToolCall,
  ModelToolResult,
} from "./context/llm/wire/to-model-messages.js"
export { toModelMessages } from "./context/llm/wire/to-model-messages.js"
export type { OpenAIInputContent, OpenAIInputItem, OpenAIReasoningItem } from "./context/llm/wire/to-openai-input.js"
export { toOpenAIInput } from "./context/llm/wire/to-openai-input.js"
export type {
  OpenAIFile,
  OpenAIImage,
  OpenAIMessage,
  OpenAIText,
  OpenAIToolCall,
} from "./context/llm/wire/to-openai-messages.js"
export { toOpenAIMessages } from "./context/llm/wire/to-openai-messages.js"
export { toUIMessages } from "./context/llm/wire/to-ui-messages.js"
export type { UIMessage, UIMessageLike, UIMessagePart, UIToolPart } from "./context/llm/wire/ui-message.js"
export type { WireOptions } from "./context/llm/wire/wire-message.js"
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
export { type EntryKind, kindOf } from "./entry/kinds.js"
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
export type { CompactionExtras, NewEntry, SessionInit } from "./entry/new-entry.js"
export type { Checkpoint, ContextSettings, ModelRef } from "./entry/settings.js"
export type { UsageTotals } from "./entry/usage.js"
export { contentText } from "./entry/values.js"
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
export type { Digest } from "./ports/digest.js"
export type { IdSource } from "./ports/ids.js"
export type { SessionStorage, StorageStat } from "./ports/session-storage.js"
export type { SourceBlob, SourceStream } from "./session/blob-source/blob-storage.js"
export { type ReadSessionOptions, readSession } from "./session/blob-source/read-session.js"
export type { SessionOutline, SessionReader } from "./session/blob-source/session-reader.js"
export type { SessionRef } from "./session/listing/resolve-ref.js"
export type { ErrorInfo, SessionInfo, SessionStatus } from "./session/listing/session-info.js"
export type { ImportOptions, ImportReport } from "./session/rewrite/import-session.js"
export type { StoredMigration } from "./session/rewrite/migrate-session.js"
export type { RewriteReport, RewrittenBlob } from "./session/rewrite/rewrite-lines.js"
export { Session } from "./session/session.js"
export { type ChangeOptions, SessionManager, type SessionManagerOptions } from "./session/session-manager.js"
export type {
  CreateOptions,
  CreateSyncOptions,
  Durability,
  InMemoryOptions,
  NewSessionOptions,
  OpenOptions,
  OpenSyncOptions,
  PersistFrom,
  WriteOptions,
} from "./session/session-options.js"
export { type CompactOptions, type CompactOutcome, compact } from "./session/summarize/compact.js"
export type { CompactionTarget } from "./session/summarize/compaction-target.js"
export type { NavigateOptions, Navigation } from "./session/summarize/navigate.js"
export { type CompactionPlan, planCompaction } from "./session/summarize/plan-compaction.js"
export type { SessionStats } from "./session/summarize/session-stats.js"
export { type StoreStats, sessionStats, storeStats } from "./session/summarize/session-stats.js"
export {
  type BranchSummaryOptions,
  type BranchSummaryOutcome,
  summarizeBranch,
} from "./session/summarize/summarize-branch.js"
export type { RepairChange } from "./session/verify/repair-item.js"
export type { RepairReport } from "./session/verify/repair-session.js"
export type { Verification } from "./session/verify/verify-log.js"
export type { RetryOptions } from "./session/writer/session-store.js"
export type { SessionTreeNode } from "./tree/tree-node.js"
