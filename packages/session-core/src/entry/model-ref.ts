import type { ModelRef } from "./settings.js"

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
