import type { Author } from "./author.js"
import { MODELS, type Model, SMALL_MODELS, THINKING_LEVELS } from "./models.js"

/** The fields of a `model_change` in the style's words. */
export function modelChangeFields({ shape }: Author, { provider, model }: Model, role?: string) {
  if (shape.style === "treelog") return { provider, modelId: model, model: `${provider}/${model}`, role: "default" }
  if (shape.style !== "omp") return { provider, modelId: model }
  return { model: `${provider}/${model}`, ...(role !== undefined && { role }), resolvedModelIsFallback: false }
}

export function thinkingLevelFields({ shape, random }: Author) {
  const thinkingLevel = random.pick(THINKING_LEVELS)
  return { thinkingLevel, ...(shape.style === "omp" && { configured: null }) }
}

/** Changes of settings between two turns, now and then. Gives the model that the next turn runs on. */
export function* changeSettings(author: Author, model: Model): Generator<string, Model> {
  const { random, shape } = author
  let next = model
  if (random.chance(0.08)) {
    next = random.pick(MODELS)
    yield author.add("model_change", modelChangeFields(author, next))
  }
  if (random.chance(0.08)) yield author.add("thinking_level_change", thinkingLevelFields(author))
  if (shape.style === "omp" && random.chance(0.02))
    yield author.add(
      "model_change",
      modelChangeFields(author, random.pick(SMALL_MODELS), random.pick(["smol", "plan"])),
    )
  return next
}
