import { isJsonObject } from "../../../entry/json-object.js"
import type { OpenAIReasoningItem } from "./openai-input-item.js"

/** The OpenAI reasoning item in a signature; undefined for signatures of another kind. */
export function reasoningItem(signature: string | undefined): OpenAIReasoningItem | undefined {
  const item = signature?.startsWith("{") ? parsed(signature) : undefined
  if (!isJsonObject(item) || item.type !== "reasoning" || typeof item.id !== "string") return undefined
  return Array.isArray(item.summary) ? (item as unknown as OpenAIReasoningItem) : undefined
}

function parsed(signature: string): unknown {
  try {
    return JSON.parse(signature)
  } catch (error) {
    // Signatures of other providers are not JSON.
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}
