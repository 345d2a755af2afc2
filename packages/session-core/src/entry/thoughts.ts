import { parsedJson } from "./json-text.js"
import type { ThinkingContent } from "./message.js"
import { isJsonObject, type JsonObject, objectsIn, textIn } from "./values.js"

/** The JSON object in a signature of OpenAI. Signatures of other providers are not JSON. */
export function signedObject(signature: unknown): JsonObject | undefined {
  if (typeof signature !== "string" || !signature.startsWith("{")) return undefined
  const value = parsedJson(signature)
  return isJsonObject(value) ? value : undefined
}

/** The texts of a thought: one, or each summary of an item of OpenAI's. */
export function thoughtTexts({ thinking, thinkingSignature }: ThinkingContent): string[] {
  const summary = objectsIn(signedObject(thinkingSignature)?.summary)
  return summary.length < 2 ? [textIn(thinking)] : summary.map(({ text }) => textIn(text))
}
