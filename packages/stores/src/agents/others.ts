import { type AgentName, openAgent } from "@treelog/agents"
import type { OpenAgent } from "./agent-storage.js"
import { loadDriver } from "./load-driver.js"

/** The sessions of another agent in its own folder. */
export function open(name: AgentName): OpenAgent {
  return ({ env, onCacheError }) => openAgent(name, { env, onCacheError, loadDriver })
}
