// What it takes to add an agent: see docs/agents.md.

export {
  type ConversionReport,
  countIn,
  isObject,
  type Json,
  type KindCount,
  objectIn,
  objectsIn,
  parsedObject,
  textIn,
  usageFields,
  without,
} from "@treelog-internal/agent-files"
export type {
  AgentDefinition,
  AgentOptions,
  AgentPlace,
  ConvertedRecords,
  EntryPlace,
  OtherStore,
  RecordConverter,
  RecordOutcome,
  RecordStore,
  Reply,
  SessionDatabaseOptions,
  SessionFilesOptions,
  SessionRow,
  SourceRecord,
  StoreOptions,
  UnreadLayout,
} from "@treelog-internal/agent-files/records"
export {
  EntryWriter,
  hasTable,
  isoTime,
  openAgentStorage,
  RecordedAgentStorage,
  recordsIn,
  sessionDatabase,
  sessionFiles,
  wholeFile,
} from "@treelog-internal/agent-files/records"
