/** The settings that hold at a point of a path (FORMAT.md, section 6, step 3). */
export interface ContextSettings {
  /** `"off"` when nothing set it. */
  thinkingLevel: string
  model: ModelRef | null
  /** By role: `"provider/modelId"`. */
  models: Record<string, string>
  /** `"none"` outside any mode. */
  mode: string
  modeData?: Record<string, unknown>
  injectedTtsrRules: string[]
}

/** The settings as a compaction carries them, so that a backward reader may stop there. */
export interface Checkpoint extends ContextSettings {
  /** Whether `models.default` came from an explicit change; if so, no later answer changes it. */
  defaultModelIsExplicit: boolean
}

/** A model, and whose it is. */
export interface ModelRef {
  provider: string
  modelId: string
}
