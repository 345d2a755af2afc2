/** When to compact, and how much to keep (FORMAT.md, section 9). */
export interface CompactionSettings {
  /** Whether `shouldCompact` may ask for a compaction at all. */
  readonly enabled: boolean
  /** `"off"` is the same as `enabled: false` (xcsh); any other has no effect here. */
  readonly strategy?: string | undefined
  /** Tokens of the window that stay free for the prompt and the answer. */
  readonly reserveTokens: number
  /** The least part of the window that stays free, where that is more than `reserveTokens`. xcsh: 0.15. Default 0. */
  readonly reserveShare?: number | undefined
  /** Tokens of the newest messages that are kept as they are. */
  readonly keepRecentTokens: number
}

/** What is used where nothing else is said. */
export const DEFAULT_COMPACTION_SETTINGS: CompactionSettings = {
  enabled: true,
  reserveTokens: 16_384,
  keepRecentTokens: 20_000,
}
