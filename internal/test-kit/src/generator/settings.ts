import type { Fields } from "./format-entry.js"

/** What is set at a point of the conversation, in the words in which treelog's compactions carry it. */
export interface Settings {
  readonly thinkingLevel: string
  readonly model: { readonly provider: string; readonly modelId: string } | null
  readonly models: Readonly<Record<string, string>>
  readonly mode: "none"
  readonly injectedTtsrRules: readonly string[]
  readonly defaultModelIsExplicit: boolean
}

export const NOTHING_SET: Settings = {
  thinkingLevel: "off",
  model: null,
  models: {},
  mode: "none",
  injectedTtsrRules: [],
  defaultModelIsExplicit: false,
}

/** What is set behind an entry, of what the style `treelog` writes (FORMAT.md, section 6, step 3). */
export function settingsAfter(before: Settings, type: string, fields: Fields): Settings {
  if (type === "thinking_level_change") return { ...before, thinkingLevel: String(fields.thinkingLevel) }
  if (type === "model_change") {
    const [provider, modelId] = [String(fields.provider), String(fields.modelId)]
    const models = { default: `${provider}/${modelId}` }
    return { ...before, model: { provider, modelId }, models, defaultModelIsExplicit: true }
  }
  const message = type === "message" ? (fields.message as Fields) : undefined
  return message?.role === "assistant" ? answered(before, String(message.provider), String(message.model)) : before
}

/** An answer has a model, which is the default one unless it was set explicitly. */
function answered(before: Settings, provider: string, modelId: string): Settings {
  if (before.model?.provider === provider && before.model.modelId === modelId) return before
  const models = before.defaultModelIsExplicit ? before.models : { default: `${provider}/${modelId}` }
  return { ...before, model: { provider, modelId }, models }
}
