import { type AgentName, openAgent } from "@treelog/agents"
import { type AgentDefinition, openAgentStorage } from "@treelog/agents/kit"
import { isTreelogError, TreelogError } from "@treelog/session-core"
import type { OpenAgent } from "./agent-storage.js"
import { loadDriver } from "./load-driver.js"

/** The sessions of another agent. */
export function open(name: AgentName): OpenAgent {
  return ({ onWarning: _, ...options }) => openAgent(name, { ...options, loadDriver })
}

/** The sessions of an agent that the user defines. @throws InvalidArgumentError where its `store` throws */
export function openPlugIn(definition: AgentDefinition): OpenAgent {
  return ({ onWarning: _, ...options }) => {
    try {
      return openAgentStorage(definition, { ...options, loadDriver })
    } catch (error) {
      if (isTreelogError(error)) throw error
      const { name } = definition.place
      const message = `\`store\` of the agent ${name} throws ${String(error)}. Correct the file that the setting agents names.`
      throw new TreelogError("InvalidArgumentError", message, { argument: "agents", value: name }, { cause: error })
    }
  }
}
