import type { ThinkingContent } from "../../../entry/content.js"
import type { AssistantMessage } from "../../../entry/message.js"
import type { ModelProviderOptions } from "./model-message.js"
import { reasoningItem } from "./reasoning-item.js"

/** The provider options that the AI SDK needs for a model to accept its thinking back; undefined for none. */
export function reasoningOptions(
  { thinkingSignature: signature, redacted }: ThinkingContent,
  message: AssistantMessage,
): ModelProviderOptions | undefined {
  if (!signature) return undefined
  const item = reasoningItem(signature)
  if (item) {
    const encrypted = item.encrypted_content ? { reasoningEncryptedContent: item.encrypted_content } : {}
    return { openai: { itemId: item.id, ...encrypted } }
  }
  const name = sdkProvider(message)
  if (name === "google") return { google: { thoughtSignature: signature } }
  return name && { [name]: redacted ? { redactedData: signature } : { signature } }
}

/** The provider options that the AI SDK's Google provider needs with a call. */
export function callOptions(thoughtSignature: unknown): ModelProviderOptions | undefined {
  return typeof thoughtSignature === "string" && thoughtSignature !== "" ? { google: { thoughtSignature } } : undefined
}

/** The AI SDK's name of the provider, by the API of the answer, or else by its provider. */
function sdkProvider({ api, provider }: AssistantMessage): "anthropic" | "bedrock" | "google" | undefined {
  const spoken = String(api ?? provider)
  if (/bedrock/.test(spoken)) return "bedrock"
  if (/^anthropic/.test(spoken)) return "anthropic"
  return /^google/.test(spoken) ? "google" : undefined
}
