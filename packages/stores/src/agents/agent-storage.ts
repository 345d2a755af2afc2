import type { RecordedAgentStorage } from "@treelog/agents"
import type { ClaudeCodeStorage, ClaudeCodeStorageOptions } from "@treelog/agents/claude-code"
import type { CodexStorage } from "@treelog/agents/codex"
import type { OnWarning } from "../open-options.js"
import type { Surroundings } from "../surroundings.js"

/** The storage of another agent's sessions. */
export type AgentStorage = ClaudeCodeStorage | CodexStorage | RecordedAgentStorage

/** Opens the sessions of an agent. */
export type OpenAgent = (options: {
  /** Default: its own folder, which its variables of the environment name. */
  readonly dir?: string
  /** What has its sessions in that folder. */
  readonly sessions?: string
  readonly env: Surroundings["env"]
  readonly onWarning: OnWarning
  readonly onCacheError: ClaudeCodeStorageOptions["onCacheError"]
  readonly keptOf: ClaudeCodeStorageOptions["keptOf"]
}) => AgentStorage | Promise<AgentStorage>
