import { isJsonObject } from "./values.js"

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

/** The model of a `model_change`, in pi's fields or in `"provider/modelId"` of xcsh and omp; undefined when it has neither. */
export function changedModel(entry: { provider?: unknown; modelId?: unknown; model?: unknown }): ModelRef | undefined {
  const { provider, modelId, model } = entry
  if (typeof provider === "string" && typeof modelId === "string") return { provider, modelId }
  return typeof model === "string" ? parseModelName(model) : undefined
}

/** The provider is what precedes the first slash; model ids may hold slashes themselves. */
export function parseModelName(name: string): ModelRef | undefined {
  const slash = name.indexOf("/")
  return slash > 0 ? { provider: name.slice(0, slash), modelId: name.slice(slash + 1) } : undefined
}

export function modelName({ provider, modelId }: ModelRef): string {
  return `${provider}/${modelId}`
}

/** Whether the `settings` of a compaction have the fields of a checkpoint. `verify` checks whether their values are right. */
export function isCheckpoint(value: unknown): value is Checkpoint {
  if (!isJsonObject(value)) return false
  const { thinkingLevel, model, models, mode, modeData, injectedTtsrRules, defaultModelIsExplicit } = value
  return (
    typeof thinkingLevel === "string" &&
    (model === null ||
      (isJsonObject(model) && typeof model.provider === "string" && typeof model.modelId === "string")) &&
    isJsonObject(models) &&
    Object.values(models).every((name) => typeof name === "string") &&
    typeof mode === "string" &&
    (modeData === undefined || isJsonObject(modeData)) &&
    Array.isArray(injectedTtsrRules) &&
    injectedTtsrRules.every((rule) => typeof rule === "string") &&
    typeof defaultModelIsExplicit === "boolean"
  )
}
