import type { AgentDefinition } from "@treelog-internal/agent-files/records"
import { KIT_VERSION } from "./places.js"

/** Marks a definition with the version of the kit that it is made with. `treelog config set agents` takes no other. */
export function defineAgent(definition: AgentDefinition): AgentDefinition {
  return { ...definition, kit: KIT_VERSION }
}
