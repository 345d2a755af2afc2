/** The settings at an entry of a path (FORMAT.md, section 6, step 3). */
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

/** The settings as a compaction stores them, so that reading from the end can stop there. */
export interface Checkpoint extends ContextSettings {
  /** Whether `models.default` was set explicitly; if so, later answers do not change it. */
  defaultModelIsExplicit: boolean
}

/** A model and its provider. */
export interface ModelRef {
  provider: string
  modelId: string
}
