export { type AgentCandidate, agentContract, type SampleSession } from "@treelog-internal/agent-files/testing"
