export type { AgentOptions, RecordedAgentStorage } from "@treelog-internal/agent-files/records"
export { openAgent } from "./open-agent.js"
export { type AgentName, type AgentPlace, PLACES } from "./places.js"
