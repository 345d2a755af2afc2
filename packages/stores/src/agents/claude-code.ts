import { ClaudeCodeStorage } from "@treelog/agents/claude-code"
import type { OpenAgent } from "./agent-storage.js"

/** The sessions of Claude Code. */
export const open: OpenAgent = ({ dir, sessions, env, onCacheError, keptOf }) =>
  new ClaudeCodeStorage({ dir, sessions, env, onCacheError, keptOf })
