// What the readers of other agents' session files share: the form of a conversion, and a storage that serves converted sessions.

export {
  type AgentFolderOptions,
  type AgentStorageOptions,
  agentFolder,
  type KeptOf,
  type SourceDefinition,
  storageOptions,
} from "./agent-folder.js"
export { AgentSessionStorage } from "./agent-session-storage.js"
export type { AgentSource, EndOptions, FileNotes, SourceSession, SourceUsage } from "./agent-source.js"
export type { Checkpoint, Conversion, ConversionReport, KindCount } from "./conversion.js"
export { conversionError, isMoved } from "./conversion-error.js"
export { damagedData, wasRecord } from "./damaged-data.js"
export { digestOf, sha256 } from "./digest.js"
export { factsOfExcerpt } from "./facts-of.js"
export {
  bufferOf,
  type LineSearch,
  LONGEST_END,
  lastLine,
  lastLines,
  linesFrom,
  piecesBackward,
  textsIn,
  wantedLines,
} from "./find-lines.js"
export {
  callArguments,
  countIn,
  isObject,
  type Json,
  objectIn,
  objectsIn,
  parsedObject,
  textIn,
  without,
} from "./json.js"
export { pathToLast } from "./path-to-last.js"
export type { AgentPlace, RecordOutcome } from "./records/agent-definition.js"
export { sessionBytes } from "./records/record-conversion.js"
export { rootOf, unreadable } from "./records/record-store.js"
export { hasTokens, ReportCounter } from "./records/report-counter.js"
export { recordsIn, type SourceRecord } from "./records-in-line.js"
export { storedFile } from "./stored-file.js"
export { LARGEST_FILE, LARGEST_RECORD, unpacked } from "./unpacked.js"
export { type Tokens, usageFields } from "./usage-fields.js"
export { OpenedFile, wholeFile } from "./whole-file.js"
