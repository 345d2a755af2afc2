import { isEntry, type SessionEntry } from "../entry/entry.js"
import type { AssistantMessage } from "../entry/message.js"
import { type Checkpoint, type ContextSettings, changedModel, type ModelRef, modelName } from "../entry/settings.js"
import { isJsonObject } from "../entry/values.js"
import type { EntryPath } from "./entry-path.js"

/**
 * The settings at the end of a path (FORMAT.md, section 6, step 3). Reads from the end, since the last change wins, and parses
 * only entries that can still change the result.
 * @param before the settings before the first entry of the path, if it does not start at a root
 */
export function settingsAt(path: EntryPath, before?: Checkpoint): Checkpoint {
  const found: Found = { models: new Map(), rules: [] }
  for (let index = path.length - 1; index >= 0; index--) {
    const field = FIELD_OF[path.type(index)]
    if (field === "models" || field === "rules" || (field && found[field] === undefined)) take(path.entry(index), found)
  }
  const { thinkingLevel = "off", model = null, models = {}, mode = "none", modeData } = before ?? {}
  const defaultModelIsExplicit = found.models.has("default") || (before?.defaultModelIsExplicit ?? false)
  if (!defaultModelIsExplicit && found.answered) found.models.set("default", modelName(found.answered))
  return {
    thinkingLevel: found.thinkingLevel ?? thinkingLevel,
    model: found.model ?? model,
    models: Object.fromEntries(new Map([...Object.entries(models), ...[...found.models].reverse()])),
    ...(found.mode ?? { mode, ...(modeData && { modeData }) }),
    injectedTtsrRules: [...new Set([...(before?.injectedTtsrRules ?? []), ...found.rules.reverse().flat()])],
    defaultModelIsExplicit,
  }
}

/** What was found so far: by role the name of the last model, and the rules from the last entry to the first. */
interface Found {
  thinkingLevel?: string
  mode?: Pick<ContextSettings, "mode" | "modeData">
  model?: ModelRef
  /** The model of the last answer. */
  answered?: ModelRef
  readonly models: Map<string, string>
  readonly rules: string[][]
}

/** What the entries of a type set. */
const FIELD_OF: Readonly<Record<string, keyof Found>> = {
  message: "answered",
  model_change: "models",
  thinking_level_change: "thinkingLevel",
  mode_change: "mode",
  ttsr_injection: "rules",
}

function take(entry: SessionEntry, found: Found): void {
  if (isEntry(entry, "message")) {
    const {
      role,
      provider,
      model: modelId,
    } = (isJsonObject(entry.message) ? entry.message : {}) as Partial<AssistantMessage>
    if (role !== "assistant" || typeof provider !== "string" || typeof modelId !== "string") return
    found.answered = { provider, modelId }
    found.model ??= found.answered
  } else if (isEntry(entry, "model_change")) {
    const model = changedModel(entry)
    if (!model) return
    const role = typeof entry.role === "string" ? entry.role : "default"
    if (!found.models.has(role)) found.models.set(role, modelName(model))
    if (role === "default") found.model ??= model
  } else if (isEntry(entry, "thinking_level_change")) {
    const level: unknown = entry.thinkingLevel === null ? "off" : entry.thinkingLevel
    if (typeof level === "string") found.thinkingLevel = level
  } else if (isEntry(entry, "mode_change") && typeof entry.mode === "string") {
    found.mode = { mode: entry.mode, ...(isJsonObject(entry.data) && { modeData: entry.data }) }
  } else if (isEntry(entry, "ttsr_injection") && Array.isArray(entry.injectedRules)) {
    found.rules.push(entry.injectedRules.filter((rule) => typeof rule === "string"))
  }
}
