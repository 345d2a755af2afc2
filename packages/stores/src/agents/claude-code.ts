import { ClaudeCodeStorage } from "@treelog/agents/claude-code"
import type { OpenAgent } from "./agent-storage.js"

/** The sessions of Claude Code. */
export const open: OpenAgent = ({ dir, env, onCacheError, keptOf }) =>
  new ClaudeCodeStorage({ dir, env, onCacheError, keptOf })
