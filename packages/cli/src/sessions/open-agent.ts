import { ClaudeCodeStorage, type ClaudeCodeStorageOptions } from "@treelog/claude-code"
import { CodexStorage } from "@treelog/codex"
import type { CommandContext } from "../io/command-context.js"
import type { Agent } from "../program/programs.js"

/** The storage of another agent's sessions. */
export type AgentStorage = ClaudeCodeStorage | CodexStorage

const STORAGES: Readonly<Record<Agent, new (options: ClaudeCodeStorageOptions) => AgentStorage>> = {
  "claude-code": ClaudeCodeStorage,
  codex: CodexStorage,
}

/** The sessions of an agent in its own folder, which its variables of the environment name. */
export function openAgent(
  { io }: Pick<CommandContext, "io">,
  agent: Agent,
  onCacheError: ClaudeCodeStorageOptions["onCacheError"],
): AgentStorage {
  return new STORAGES[agent]({ env: io.env, onCacheError })
}
