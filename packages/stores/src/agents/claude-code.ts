import { ClaudeCodeStorage } from "@treelog/claude-code"
import type { OpenAgent } from "./agent-storage.js"

/** The sessions of Claude Code in its own folder. */
export const open: OpenAgent = ({ env, onCacheError }) => new ClaudeCodeStorage({ env, onCacheError })
