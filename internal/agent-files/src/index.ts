// What the readers of other agents' session files share: the form of a conversion, and a storage that serves converted sessions.

export { type AgentFolderOptions, agentFolder, cacheOptions } from "./agent-folder.js"
export { AgentSessionStorage, type AgentStorageOptions } from "./agent-session-storage.js"
export type { AgentSource, FileNotes, SourceSession } from "./agent-source.js"
export type {
  ConversionReport,
  ConvertedBytes,
  ConvertedLines,
  KindCount,
  SessionConversion,
} from "./conversion.js"
export { damagedData } from "./damaged-data.js"
export { countIn, isObject, type Json, objectIn, objectsIn, parsedObject, textIn, without } from "./json.js"
export { ReportCounter } from "./records/report-counter.js"
export { type Tokens, usageFields } from "./usage-fields.js"
