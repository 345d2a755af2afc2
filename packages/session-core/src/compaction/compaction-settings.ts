import { pathContextTokens } from "../context/context-tokens.js"
import type { Session } from "../session/session.js"
import { sessionParts } from "../session/session-parts.js"

/** When to compact, and how much to keep (FORMAT.md, section 9). */
export interface CompactionSettings {
  /** Whether `shouldCompact` may ask for a compaction at all. */
  readonly enabled: boolean
  /** `"off"` is the same as `enabled: false` (xcsh); any other has no effect here. */
  readonly strategy?: string | undefined
  /** Tokens of the context window to keep free for the prompt and the answer. */
  readonly reserveTokens: number
  /** Share of the context window (0 to 1) to keep free, if that is more than `reserveTokens`. xcsh: 0.15. Default 0. */
  readonly reserveShare?: number | undefined
  /** About how many tokens of the newest messages to keep unsummarized. */
  readonly keepRecentTokens: number
}

/** The default settings of a compaction. */
export const DEFAULT_COMPACTION_SETTINGS: CompactionSettings = {
  enabled: true,
  reserveTokens: 16_384,
  keepRecentTokens: 20_000,
}

/**
 * Whether a context has grown so large that it should be compacted (FORMAT.md, section 9). Of a session it is that at its leaf, and entries
 * may be read synchronously.
 * @param of a session, or the size of a context, in tokens, as `sessionContextTokens` returns it
 * @param contextWindow size of the model's context window, in tokens
 * @param settings what differs from the defaults
 * @throws StorageError, SessionChangedError
 */
export function shouldCompact(
  of: Session | number,
  { contextWindow, settings = {} }: { readonly contextWindow: number; readonly settings?: Partial<CompactionSettings> },
): boolean {
  const { enabled, strategy, reserveTokens, reserveShare = 0 } = { ...DEFAULT_COMPACTION_SETTINGS, ...settings }
  if (!enabled || strategy === "off") return false
  const tokens =
    typeof of === "number" ? of : pathContextTokens(sessionParts(of).state.entryPath(of.getLeafId())).tokens
  return tokens > contextWindow - Math.max(reserveTokens, Math.floor(contextWindow * reserveShare))
}
