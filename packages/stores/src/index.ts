export { agentOfFile } from "./agent-of-file.js"
export { type AgentStore, agentStoreNamed, agentStores, type UnreadFiles, unreadFiles } from "./agent-stores.js"
export type { AgentStorage } from "./agents/agent-storage.js"
export { CountedEntries } from "./counted-entries.js"
export {
  copiesById,
  type FindScope,
  type Found,
  type FoundCopies,
  findSession,
  isRecency,
  type Listed,
} from "./find-session.js"
export { findStores, type OnStoreError, type StorePlace, storePlaces } from "./find-stores.js"
export { hideUrls } from "./hide-urls.js"
export { JointIndex } from "./joint-index.js"
export { JointStorage } from "./joint-storage.js"
export { type JointHits, type MergedHits, searchStores } from "./merge-hits.js"
export type { OnWarning, OpenOptions } from "./open-options.js"
export {
  assertStore,
  connectPostgres,
  type FileStore,
  fileStorageOptions,
  type OpenStore,
  openAgent,
  openStore,
} from "./open-store.js"
export { AGENTS, type Agent, PROGRAMS, placeOf, RELATIVES, STORES } from "./programs.js"
export { ProjectFolders } from "./project-folders.js"
export { nameOfRemote, projectName } from "./project-name.js"
export {
  type BucketAddress,
  bucketAddress,
  isAddress,
  type PostgresAddress,
  postgresAddress,
  shownStore,
} from "./server-address.js"
export { type AgentName, type FilesName, ownFolder, type StoreName, storeNamed } from "./store-name.js"
export type { Surroundings } from "./surroundings.js"
