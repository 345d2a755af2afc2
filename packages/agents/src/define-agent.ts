import type { AgentDefinition } from "@treelog-internal/agent-files/records"

/** The version of the kit. Incremented when definitions that were made with an earlier one no longer fit. */
export const KIT_VERSION = 1

/** Marks a definition with the version of the kit that it is made with. `treelog config set agents` takes no other. */
export function defineAgent(definition: AgentDefinition): AgentDefinition {
  return { ...definition, kit: KIT_VERSION }
}
