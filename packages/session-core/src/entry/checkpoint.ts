import { isJsonObject } from "./json-object.js"
import type { Checkpoint } from "./settings.js"

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
