import type { ClaudeCodeStorage, ClaudeCodeStorageOptions } from "@treelog/claude-code"
import type { CodexStorage } from "@treelog/codex"
import type { CommandContext } from "../../io/command-context.js"

/** The storage of another agent's sessions. */
export type AgentStorage = ClaudeCodeStorage | CodexStorage

/** Opens the sessions of an agent in its own folder, which its variables of the environment name. */
export type OpenAgent = (
  context: Pick<CommandContext, "io" | "warn">,
  onCacheError: ClaudeCodeStorageOptions["onCacheError"],
) => AgentStorage
