export type { AgentOptions, RecordedAgentStorage } from "@treelog-internal/agent-files/records"
export { openAgent, openTrajectories } from "./open-agent.js"
export { type AgentName, type AgentPlace, PLACES } from "./places.js"
export { removeAgentSession, type WrittenAgentName, writeAgentSession } from "./write-agent.js"
