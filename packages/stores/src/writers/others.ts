export { removeAgentSession as remove, writeAgentSession as write } from "@treelog/agents"
