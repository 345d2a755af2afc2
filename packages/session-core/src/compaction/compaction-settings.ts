/** When to compact, and how much to keep (FORMAT.md, section 9). */
export interface CompactionSettings {
  /** Whether `shouldCompact` may ask for a compaction at all. */
  readonly enabled: boolean
  /** Tokens of the window that stay free for the prompt and the answer. */
  readonly reserveTokens: number
  /** Tokens of the newest messages that are kept as they are. */
  readonly keepRecentTokens: number
}

/** What is used where nothing else is said. */
export const DEFAULT_COMPACTION_SETTINGS: CompactionSettings = {
  enabled: true,
  reserveTokens: 16_384,
  keepRecentTokens: 20_000,
}
