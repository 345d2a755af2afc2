import type { CompactionSettings } from "./compaction-settings.js"

/**
 * Whether a context has grown so large that it should be compacted (FORMAT.md, section 9).
 * @param contextTokens size of the context, in tokens, as `sessionContextTokens` returns it
 * @param contextWindow size of the model's context window, in tokens
 */
export function shouldCompact(contextTokens: number, contextWindow: number, settings: CompactionSettings): boolean {
  const { enabled, strategy, reserveTokens, reserveShare = 0 } = settings
  if (!enabled || strategy === "off") return false
  return contextTokens > contextWindow - Math.max(reserveTokens, Math.floor(contextWindow * reserveShare))
}
