import { isEntry } from "../entry/entry.js"
import { isJsonObject } from "../entry/json-object.js"
import { changedModel, modelName } from "../entry/model-ref.js"
import type { Checkpoint, ModelRef } from "../entry/settings.js"
import type { EntryPath } from "./entry-path.js"

/**
 * The settings at the end of a path (FORMAT.md, section 6, step 3). Reads from the end, since the last change wins, and parses
 * only entries that can still change the result.
 * @param before the settings before the first entry of the path, if it does not start at a root
 */
export function settingsAt(path: EntryPath, before?: Checkpoint): Checkpoint {
  const found = new FoundSettings()
  for (let index = path.length - 1; index >= 0; index--) found.look(path, index)
  return found.result(before)
}

class FoundSettings {
  #thinkingLevel: string | undefined
  #mode: { mode: string; modeData?: Record<string, unknown> } | undefined
  #model: ModelRef | undefined
  #answered: ModelRef | undefined
  readonly #models = new Map<string, string>()
  readonly #rules: string[][] = []

  look(path: EntryPath, index: number): void {
    const type = path.type(index)
    if (type === "message") {
      if (this.#answered === undefined) this.#takeAnswer(path, index)
    } else if (type === "model_change") this.#takeModel(path, index)
    else if (type === "thinking_level_change") {
      if (this.#thinkingLevel === undefined) this.#takeThinkingLevel(path, index)
    } else if (type === "mode_change") {
      if (this.#mode === undefined) this.#takeMode(path, index)
    } else if (type === "ttsr_injection") this.#takeRules(path, index)
  }

  result(before: Checkpoint | undefined): Checkpoint {
    const { thinkingLevel = "off", model = null, models = {}, mode = "none", modeData } = before ?? {}
    const earlier = new Map(Object.entries(models))
    const defaultModelIsExplicit = this.#models.has("default") || (before?.defaultModelIsExplicit ?? false)
    if (!defaultModelIsExplicit && this.#answered) this.#models.set("default", modelName(this.#answered))
    for (const [role, name] of [...this.#models].reverse()) earlier.set(role, name)
    return {
      thinkingLevel: this.#thinkingLevel ?? thinkingLevel,
      model: this.#model ?? model,
      models: Object.fromEntries(earlier),
      ...(this.#mode ?? { mode, ...(modeData && { modeData }) }),
      injectedTtsrRules: [...new Set([...(before?.injectedTtsrRules ?? []), ...this.#rules.reverse().flat()])],
      defaultModelIsExplicit,
    }
  }

  #takeAnswer(path: EntryPath, index: number): void {
    const entry = path.entry(index)
    if (!isEntry(entry, "message") || !isJsonObject(entry.message) || entry.message.role !== "assistant") return
    const { provider, model } = entry.message
    if (typeof provider !== "string" || typeof model !== "string") return
    this.#answered = { provider, modelId: model }
    this.#model ??= this.#answered
  }

  #takeModel(path: EntryPath, index: number): void {
    const entry = path.entry(index)
    if (!isEntry(entry, "model_change")) return
    const model = changedModel(entry)
    if (!model) return
    const role = typeof entry.role === "string" ? entry.role : "default"
    if (!this.#models.has(role)) this.#models.set(role, modelName(model))
    if (role === "default") this.#model ??= model
  }

  #takeThinkingLevel(path: EntryPath, index: number): void {
    const entry = path.entry(index)
    if (!isEntry(entry, "thinking_level_change")) return
    if (typeof entry.thinkingLevel === "string") this.#thinkingLevel = entry.thinkingLevel
    else if (entry.thinkingLevel === null) this.#thinkingLevel = "off"
  }

  #takeMode(path: EntryPath, index: number): void {
    const entry = path.entry(index)
    if (!isEntry(entry, "mode_change") || typeof entry.mode !== "string") return
    this.#mode = { mode: entry.mode, ...(isJsonObject(entry.data) && { modeData: entry.data }) }
  }

  #takeRules(path: EntryPath, index: number): void {
    const entry = path.entry(index)
    if (!isEntry(entry, "ttsr_injection") || !Array.isArray(entry.injectedRules)) return
    this.#rules.push(entry.injectedRules.filter((rule) => typeof rule === "string"))
  }
}
