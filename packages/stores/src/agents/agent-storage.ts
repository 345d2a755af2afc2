import type { AgentOptions, RecordedAgentStorage } from "@treelog/agents"
import type { OnWarning } from "../open-options.js"
import type { Surroundings } from "../surroundings.js"

/** The storage of another agent's sessions. */
export type AgentStorage = RecordedAgentStorage

/** Opens the sessions of an agent. */
export type OpenAgent = (options: {
  /** Default: its own folder, which its variables of the environment name. */
  readonly dir?: string
  /** What has its sessions in that folder. */
  readonly sessions?: string
  readonly env: Surroundings["env"]
  readonly onWarning: OnWarning
  readonly onCacheError: AgentOptions["onCacheError"]
  readonly keptOf: AgentOptions["keptOf"]
}) => AgentStorage | Promise<AgentStorage>
