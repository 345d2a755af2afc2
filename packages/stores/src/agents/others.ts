import { type AgentName, openAgent } from "@treelog/agents"
import type { OpenAgent } from "./agent-storage.js"
import { loadDriver } from "./load-driver.js"

/** The sessions of another agent. */
export function open(name: AgentName): OpenAgent {
  return ({ onWarning: _, ...options }) => openAgent(name, { ...options, loadDriver })
}
