import { type AgentName, openAgent } from "@treelog/agents"
import { type AgentDefinition, openAgentStorage } from "@treelog/agents/kit"
import type { OpenAgent } from "./agent-storage.js"
import { loadDriver } from "./load-driver.js"

/** The sessions of another agent. */
export function open(name: AgentName): OpenAgent {
  return ({ onWarning: _, ...options }) => openAgent(name, { ...options, loadDriver })
}

/** The sessions of an agent that the user defines. */
export function openPlugIn(definition: AgentDefinition): OpenAgent {
  return ({ onWarning: _, ...options }) => openAgentStorage(definition, { ...options, loadDriver })
}
