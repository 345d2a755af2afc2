export { type CompactionSettings, DEFAULT_COMPACTION_SETTINGS } from "./compaction/compaction-settings.js"
export { type ContextTokens, estimateContextTokens, sessionContextTokens } from "./compaction/context-tokens.js"
export { estimateTokens } from "./compaction/estimate-tokens.js"
export { withFileLists } from "./compaction/file-lists-text.js"
export type { FileLists } from "./compaction/file-operations.js"
export { type CutPoint, findCutPoint } from "./compaction/find-cut-point.js"
export { type BranchPreparation, entriesLeft, prepareBranchSummary } from "./compaction/prepare-branch-summary.js"
export { type CompactionPreparation, prepareCompaction } from "./compaction/prepare-compaction.js"
export { serializeConversation } from "./compaction/serialize-conversation.js"
export { shouldCompact } from "./compaction/should-compact.js"
export { type CompactionRequests, compactionRequests } from "./compaction/summarize-compaction.js"
export { branchRequest } from "./compaction/summarize-left-branch.js"
export type { SummarizeOptions, Summarizer, Summary, SummaryRequest } from "./compaction/summarizer.js"
export { type ContextBoundary, contextBoundary } from "./context/boundary.js"
export { buildSessionContext, type ContextOptions, type SessionContext } from "./context/build-context.js"
export {
  type FileChange,
  type FileEdit,
  type FileWrite,
  fileChangeOf,
  filePathIn,
  languageOfPath,
} from "./context/file-change.js"
export type { DiffLine } from "./context/line-diff.js"
export { convertThinking, type ThinkingTarget } from "./context/llm/convert-thinking.js"
export { convertToLlm, type LlmDiagnostic, type LlmMessages } from "./context/llm/convert-to-llm.js"
export type { LlmMessage, SystemMessage } from "./context/llm/llm-message.js"
export type { ContextChange, ContextChangeKind } from "./context/llm/repair/context-change.js"
export { type RepairedContext, repairContext } from "./context/llm/repair/repair-context.js"
export type { RepairOptions } from "./context/llm/repair/repair-options.js"
export type {
  AnthropicImage,
  AnthropicMessage,
  AnthropicMessages,
  AnthropicText,
  AnthropicThinking,
  AnthropicToolResult,
  AnthropicToolUse,
} from "./context/llm/wire/anthropic-message.js"
export type {
  ModelImage,
  ModelMessage,
  ModelProviderOptions,
  ModelReasoning,
  ModelText,
  ModelToolCall,
  ModelToolResult,
} from "./context/llm/wire/model-message.js"
export type { OpenAIInputContent, OpenAIInputItem, OpenAIReasoningItem } from "./context/llm/wire/openai-input-item.js"
export type { OpenAIImage, OpenAIMessage, OpenAIText, OpenAIToolCall } from "./context/llm/wire/openai-message.js"
export { toAnthropicMessages } from "./context/llm/wire/to-anthropic-messages.js"
export { toModelMessages } from "./context/llm/wire/to-model-messages.js"
export { toOpenAIInput } from "./context/llm/wire/to-openai-input.js"
export { toOpenAIMessages } from "./context/llm/wire/to-openai-messages.js"
export type { WireOptions } from "./context/llm/wire/wire-options.js"
export { buildTranscript, type TranscriptItem } from "./context/transcript.js"
export type {
  ContentBlock,
  ImageContent,
  TextContent,
  ThinkingContent,
  ToolCall,
  UnknownContent,
} from "./entry/content.js"
export { damagedEntry } from "./entry/damaged-entry.js"
export { type Diagnostic, type DiagnosticKind, isDamage } from "./entry/diagnostic.js"
export {
  type BranchSummaryEntry,
  type CompactionEntry,
  type ContextEditEntry,
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
  type SessionInfoEntry,
  type SessionInitEntry,
  type ThinkingLevelChangeEntry,
  type TitleChangeEntry,
  type TtsrInjectionEntry,
  type UsageEntry,
} from "./entry/entry.js"
export { CURRENT_VERSION, type SessionHeader } from "./entry/header.js"
export { ENTRY_KINDS, type EntryKind, kindOf } from "./entry/kinds.js"
export type {
  AssistantMessage,
  BashExecutionMessage,
  BranchSummaryMessage,
  CompactionSummaryMessage,
  CustomMessage,
  FileMentionMessage,
  HookMessage,
  MentionedFile,
  Message,
  OtherMessage,
  PythonExecutionMessage,
  RemoteCompaction,
  ToolResultMessage,
  Usage,
  UserMessage,
} from "./entry/message.js"
export { contentText } from "./entry/message-text.js"
export type { CompactionExtras, SessionInit } from "./entry/new-entry.js"
export type { Checkpoint, ContextSettings, ModelRef } from "./entry/settings.js"
export {
  isTreelogError,
  type SessionCandidate,
  TreelogError,
  type TreelogErrorCode,
  type TreelogErrorData,
} from "./errors.js"
export { formatLine } from "./log/format-line.js"
export type { Line, Place } from "./log/line.js"
export { type LogRecord, type ParsedLine, parseLine } from "./log/parse-line.js"
export { resplice } from "./log/resplice.js"
export { type LogEnd, LogReader, readLog, type SessionLog, type TitleSlot } from "./log/session-log.js"
export { LineSplitter, linesOf, splitLines } from "./log/split-lines.js"
export { MemoryBlobStore } from "./memory/memory-blob-store.js"
export { MemoryPromptHistory } from "./memory/memory-prompt-history.js"
export { MemorySessionStorage } from "./memory/memory-session-storage.js"
export { deletionKeys, keysThatRefuse } from "./memory/prompt-deletions.js"
export { foldPrompt, keptPrompt } from "./memory/prompt-fold.js"
export { PromptQueue } from "./memory/prompt-queue.js"
export { promptToKeep, withoutSecrets } from "./memory/prompt-rules.js"
export { inPromptScope } from "./memory/prompt-scope.js"
export { assertTerms, holdsTerms, promptTerms } from "./memory/prompt-terms.js"
export { promptSecond } from "./memory/prompt-time.js"
export { type Migrated, type MigrationReport, migrate } from "./migrate/migrate.js"
export { isOpaque, type TextPlace } from "./persist/is-opaque.js"
export { type BlobReader, type Restored, restoreEntry } from "./persist/restore-entry.js"
export { sanitizeEntry } from "./persist/sanitize-entry.js"
export { assertHash, blobRef, hashInRef } from "./ports/blob-ref.js"
export type { BlobStore, StoredBlob } from "./ports/blob-store.js"
export { bytesOfText, textOfBytes } from "./ports/byte-names.js"
export { type Clock, systemClock } from "./ports/clock.js"
export { type Digest, webDigest } from "./ports/digest.js"
export { type IdSource, randomIds } from "./ports/ids.js"
export { MAX_IO_BYTES } from "./ports/io-limit.js"
export type {
  ImportedPrompt,
  Prompt,
  PromptHistory,
  PromptHistoryOptions,
  PromptIgnoreRules,
  PromptImportOptions,
  PromptImportProgress,
  PromptImportReport,
  PromptListOptions,
  PromptOrigin,
  PromptScope,
  PromptSelection,
  PromptStats,
  SecretCheck,
} from "./ports/prompt-history.js"
export type {
  Breadcrumbs,
  Chunks,
  Lease,
  LeaseOptions,
  ListFilter,
  SessionPlace,
  SessionStorage,
  StorageSupports,
  StoredName,
  StoredRanges,
} from "./ports/session-storage.js"
export type { StorageStat } from "./ports/storage-stat.js"
export type { CachedSummary, FoundSession, SummaryCache, SummaryState } from "./ports/summary-cache.js"
export { asEntry } from "./session/as-entry.js"
export type { ImportOptions, ImportReport } from "./session/change/import-session.js"
export type { StoredMigration } from "./session/change/migrate-session.js"
export type { RewriteReport, RewrittenBlob } from "./session/change/rewrite-lines.js"
export type { RepairChange } from "./session/check/repair-item.js"
export type { RepairReport } from "./session/check/repair-session.js"
export type { Verification } from "./session/check/verify-log.js"
export { fitsId } from "./session/find/fits-id.js"
export { resolveRef } from "./session/find/resolve-ref.js"
export type { SessionInfo } from "./session/find/session-info.js"
export { type ListOptions, listSessions } from "./session/find/session-list.js"
export type { SessionStatus, ToldError } from "./session/find/session-reading.js"
export type { GivenBlob, GivenStream } from "./session/given/given-blob.js"
export { type ReadSessionOptions, readSession } from "./session/given/read-session.js"
export type { SessionOutline, SessionReader } from "./session/given/session-reader.js"
export { type ContextFromEndOptions, readContextFromEnd } from "./session/restored-context.js"
export { Session } from "./session/session.js"
export {
  type ChangeOptions,
  type OpenOptions,
  SessionManager,
  type SessionManagerOptions,
} from "./session/session-manager.js"
export type { CreateOptions, NewSessionOptions, WriteOptions } from "./session/session-options.js"
export type { RetryOptions } from "./session/store/session-store.js"
export type { Durability, PersistFrom } from "./session/store/session-writer.js"
export { type CompactOptions, type CompactOutcome, compact } from "./session/summarize/compact.js"
export type { NavigateOptions, Navigation } from "./session/summarize/navigate.js"
export { type CompactionPlan, planCompaction } from "./session/summarize/plan-compaction.js"
export { type StoreStats, sessionStats, storeStats } from "./session/summarize/session-stats.js"
export type { SessionStats } from "./session/summarize/stats-tally.js"
export {
  type BranchSummaryOptions,
  type BranchSummaryOutcome,
  summarizeBranch,
} from "./session/summarize/summarize-branch.js"
export type { SummarizedSession } from "./session/summarize/summarized-session.js"
export type { UsageTotals } from "./session/summarize/usage-totals.js"
export { EntryTree } from "./tree/entry-tree.js"
export { type Label, Labels } from "./tree/labels.js"
export { isLeafMark } from "./tree/leaf.js"
export type { SessionTreeNode } from "./tree/tree-node.js"
