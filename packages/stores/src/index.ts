export { agentOfFile, isTrajectory } from "./agent-of-file.js"
export { type AgentStore, agentStoreNamed, type UnreadFiles, unreadFiles } from "./agent-stores.js"
export type { AgentStorage } from "./agents/agent-storage.js"
export { findStores, type OnStoreError, type StorePlace, storePlaces, storesAt, unreadPrograms } from "./find-stores.js"
export { hideUrls } from "./hide-urls.js"
export { indexPath } from "./index-path.js"
export { heldSessions, holdSession } from "./kept/holds.js"
export {
  bringCopiesBack,
  type KeepOptions,
  type KeepReport,
  keepSessions,
} from "./kept/keep-sessions.js"
export {
  type GivenBack,
  type KeptPlace,
  type KeptSession,
  keptPlace,
  removeKept,
  restoreKept,
} from "./kept/kept-session.js"
export { isKeptStore, ownRoot, useKeptRoot } from "./kept/kept-stores.js"
export type { RemoteReport } from "./kept/remote-copies.js"
export type { RemoteObjects } from "./kept/remote-objects.js"
export type { KeepChange } from "./kept/store-keeper.js"
export { type Copy, conversationsOf, type ListedSession } from "./library/conversation.js"
export {
  type FoundHits,
  type FoundInSources,
  type FoundUse,
  Library,
  type LibraryParts,
  type LibrarySearch,
  type LibraryUsage,
} from "./library/library.js"
export type { ConversationListOptions } from "./library/list-conversations.js"
export { type LibraryOptions, openLibrary } from "./library/open-library.js"
export { isRecency, type ResolvedSession, resolveSession } from "./library/resolve.js"
export { agentOf, type SessionFilter, type SessionQuery } from "./library/session-query.js"
export type { ListedSource, OnSourceError, Source } from "./library/source.js"
export type { SessionChange, WatchOptions } from "./library/watch.js"
export { Look } from "./look.js"
export { type LookedAt, lookedAt } from "./looked-at.js"
export type { OnWarning, OpenOptions } from "./open-options.js"
export {
  assertStore,
  connectPostgres,
  type FileStore,
  fileStorageOptions,
  type OpenStore,
  openAgent,
  openPostgresObjects,
  openStore,
} from "./open-store.js"
export {
  applyPlanned,
  type PlannedChanges,
  planRelocation,
  planUnhide,
  recordedMove,
  type Undone,
  undoLast,
} from "./owner/change-owned.js"
export { type HiddenSession, type NextDeletion, type OwnerReport, ownerReport } from "./owner/owner-report.js"
export { loadPlugIns } from "./plug-ins.js"
export { madeIn, programOf } from "./program-of.js"
export { type Agent, agentOfProgram, agentsOf, isStoreName, PROGRAMS, placeOf, RELATIVES, STORES } from "./programs.js"
export { ProjectFolders } from "./project-folders.js"
export { nameOfRemote, projectName } from "./project-name.js"
export { type LiveListOptions, type LiveSession, listLive } from "./running/list-live.js"
export { LIVE_STATES, type LiveEvidence, LiveSessions, type LiveState } from "./running/live-state.js"
export type { PidFile } from "./running/pid-file.js"
export { type Machine, type MachineProcess, machineByPs, type ProcessPlace, thisMachine } from "./running/processes.js"
export {
  isInUse,
  RunningAgents,
  type RunningProcess,
  type SessionUse,
  type UsedSession,
} from "./running/running-agents.js"
export {
  type BucketAddress,
  bucketAddress,
  isAddress,
  type PostgresAddress,
  postgresAddress,
  shownStore,
} from "./server-address.js"
export { type AgentName, type FilesName, ownFolder, type StoreName, storeNamed } from "./store-name.js"
export type { PlugInFault, PlugIns, Surroundings } from "./surroundings.js"
export { branchEnds, removeWrittenSession, WRITERS, writeSession } from "./write-session.js"
