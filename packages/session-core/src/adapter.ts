// For storages, blob stores, viewers and other tools that work on the format itself, in addition to the main entry point.

export { contextBoundary } from "./context/boundary.js"
export { contextFidelity } from "./context/context-fidelity.js"
export {
  type DiffLine,
  type FileChange,
  fileChangeOf,
  languageOfPath,
} from "./context/file-change.js"
export { lastReply } from "./context/last-reply.js"
export { combinedSystemMessage, isSystemMessage, systemText } from "./context/system-message.js"
export { documentIn } from "./entry/document.js"
export { DAMAGED, damagedEntry, isLeafMarker } from "./entry/entry.js"
export { filePathIn } from "./entry/file-tools.js"
export {
  folderName,
  isOfWindows,
  isSameFolder,
  isWholePath,
  joinPath,
  pathBelow,
  plainPath,
} from "./entry/folder-name.js"
export { kindOf } from "./entry/kinds.js"
export { openedParts, PART, partOf } from "./entry/part.js"
export { sourceOf } from "./entry/session-origin.js"
export { textStart, titleLine } from "./entry/values.js"
export { joinBytes } from "./log/bytes.js"
export { formatLine } from "./log/format-line.js"
export type { Line } from "./log/line.js"
export { type LogRecord, parseLine, toEntry } from "./log/parse-line.js"
export { readLogBytes } from "./log/read-bytes.js"
export {
  LogReader,
  readLog,
  type SessionLog,
} from "./log/session-log.js"
export { spliceLine } from "./log/splice-line.js"
export { LineSplitter, linesOf, splitLines } from "./log/split-lines.js"
export { ObjectSessionStorage } from "./memory/object-session-storage.js"
export type { Hold, ObjectTable } from "./memory/stored-object.js"
export { migrate } from "./migrate/migrate.js"
export { restoreEntry } from "./persist/restore-entry.js"
export { sanitizeEntry } from "./persist/sanitize-entry.js"
export { isOpaque } from "./persist/spots.js"
export { assertHash, blobRef, hashInRef } from "./ports/blob-store.js"
export { bytesOfText, textOfBytes } from "./ports/byte-names.js"
export { systemClock } from "./ports/clock.js"
export { webDigest } from "./ports/digest.js"
export { freshEntryId, isNameableId, randomIds } from "./ports/ids.js"
export type {
  CachedSummary,
  FoundSession,
  ListFilter,
  SessionArtifact,
  StorageStat,
  StoredName,
  StoredRanges,
  SummaryCache,
  SummaryState,
} from "./ports/session-source.js"
export {
  type Chunks,
  isWritable,
  type Lease,
  type LeaseOptions,
  type SessionPlace,
  type SyncLease,
} from "./ports/session-storage.js"
export { sessionChanged, sessionExists } from "./ports/stored-errors.js"
export { readAllSync } from "./ports/sync-storage.js"
export { partData } from "./search/entry-facts.js"
export { FactCollector } from "./session/listing/fact-collector.js"
export { followMoves } from "./session/listing/follow-moves.js"
export { isOfFolder, type ProjectOf, repositoryIn } from "./session/listing/is-of-folder.js"
export {
  ambiguous,
  matchesId,
  sessionsByRef,
} from "./session/listing/resolve-ref.js"
export {
  comparePreference,
  compareRecency,
  isNoSession,
  type SessionFacts,
  SUMMARY_VERSION,
  summaryState,
} from "./session/listing/session-info.js"
export { type ListOptions, listedSession, listSessions, recentSessions } from "./session/listing/session-list.js"
export { readContextFromEnd } from "./session/reader/read-context.js"
export { readHeader, storedBytes } from "./session/reader/read-stored.js"
export { appendEntry, streamBranch } from "./session/rewrite/copy-session.js"
export { noSessionAt } from "./session/session-errors.js"
export { Steps } from "./steps.js"
export { concurrentBranches } from "./tree/concurrent-branches.js"
export { EntryTree } from "./tree/entry-tree.js"
export { Labels } from "./tree/labels.js"
export { Turns } from "./turns.js"
