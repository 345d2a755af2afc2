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
  UndoSession,
  WhyHidden,
} from "@treelog-internal/agent-files/owner"
export type { AgentOptions, RecordedAgentStorage } from "@treelog-internal/agent-files/records"
export type { Receipt, WriteSessionOptions, WrittenSession } from "@treelog-internal/agent-files/write"
export { openAgent, openTrajectories } from "./open-agent.js"
export { ownerRules } from "./owner-rules.js"
export { type AgentName, type AgentPlace, PLACES } from "./places.js"
export { removeAgentSession, type WrittenAgentName, writeAgentSession } from "./write-agent.js"
export { applyChanges, changeText, journalsIn, undoChanges } from "@treelog-internal/agent-files/owner"
