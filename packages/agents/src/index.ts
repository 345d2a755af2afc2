export type {
  Change,
  ChangeOptions,
  Deletion,
  HiddenReason,
  Journal,
  OwnedSession,
  OwnedStore,
  OwnerRules,
  Relocation,
  SessionStep,
  UndoSession,
  WhyHidden,
} from "@treelog-internal/agent-files/owner"
export {
  applyChanges,
  changeText,
  journalId,
  journalsIn,
  removeJournal,
  removeOldJournals,
  undoChanges,
  writeJournal,
} from "@treelog-internal/agent-files/owner"
export type { AgentOptions, RecordedAgentStorage } from "@treelog-internal/agent-files/records"
export type { Receipt, WriteSessionOptions, WrittenSession } from "@treelog-internal/agent-files/write"
export { openAgent, openTrajectories } from "./open-agent.js"
export { ownerRules } from "./owner-rules.js"
export { type AgentName, type AgentPlace, PLACES } from "./places.js"
export { removeAgentSession, type WrittenAgentName, writeAgentSession } from "./write-agent.js"
