// The kit to define an agent by its records. It has an entry of its own, since databases need SQLite.

export type {
  AgentDefinition,
  AgentPlace,
  ConvertedRecords,
  HeaderFields,
  OtherStore,
  RecordConverter,
  RecordOutcome,
  UnreadLayout,
} from "./records/agent-definition.js"
export { type AgentOptions, openAgentStorage, RecordedAgentStorage } from "./records/agent-storage.js"
export { type EntryPlace, EntryWriter, isoTime, type Reply } from "./records/entry-writer.js"
export { type FactsBeside, withFacts } from "./records/facts-beside.js"
export { FileFacts } from "./records/file-facts.js"
export {
  joinedStores,
  partNameOf,
  type RecordStore,
  rootOf,
  type StoreOptions,
  unreadable,
} from "./records/record-store.js"
export {
  hasTable,
  type SessionDatabaseOptions,
  type SessionRow,
  sessionDatabase,
  sessionsOfRows,
} from "./records/session-database.js"
export { type SessionFilesOptions, sessionFiles } from "./records/session-files.js"
export { recordsIn, type SourceRecord } from "./records-in-line.js"
export { storedFile } from "./stored-file.js"
export { LARGEST_FILE, LARGEST_RECORD, unpacked } from "./unpacked.js"
export { wholeFile } from "./whole-file.js"
