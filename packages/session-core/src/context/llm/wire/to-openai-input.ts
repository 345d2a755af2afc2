import { jsonText } from "../../../entry/json-text.js"
import type { Message } from "../../../entry/message.js"
import { isJsonObject } from "../../../entry/values.js"
import {
  type BlockForms,
  dataUrl,
  NO_OUTPUT,
  type WireMessage,
  type WireOptions,
  wireIds,
  wireMessages,
  writeBlocks,
} from "./wire-message.js"

/** An item of the `input` of OpenAI's Responses API. */
export type OpenAIInputItem =
  | { role: "system" | "developer" | "assistant"; content: string }
  | { role: "user"; content: OpenAIInputContent[] }
  | { type: "function_call"; call_id: string; name: string; arguments: string }
  | { type: "function_call_output"; call_id: string; output: string | OpenAIInputContent[] }
  | OpenAIReasoningItem

/** A content part of an input item. */
export type OpenAIInputContent =
  | { type: "input_text"; text: string }
  | { type: "input_image"; detail: "auto"; image_url: string }

/** A reasoning item as OpenAI returned it, kept as JSON in a `thinkingSignature`. */
export interface OpenAIReasoningItem {
  type: "reasoning"
  id: string
  summary: { type: "summary_text"; text: string }[]
  encrypted_content?: string | null
}

/**
 * Converts messages to the `input` of OpenAI's Responses API, for requests with `store: false`. The target's own reasoning is sent
 * back as the original items, and its own server-side compaction as the history that it returned; build the context with
 * `provider` in that case, so that the entries which that history replaces are not sent too. Does not repair: pass the result of
 * `repairContext`.
 * @param options.target default any model of `openai`
 */
export function toOpenAIInput(messages: readonly Message[], options: WireOptions = {}): OpenAIInputItem[] {
  const target = options.target ?? { provider: "openai" }
  const idOf = wireIds()
  return messages.flatMap(
    (message) => ownHistory(message, target.provider) ?? wireMessages([message], target, idOf).flatMap(inputItems),
  )
}

/** The history that the provider's own compaction returned, which is sent back unchanged. */
function ownHistory(message: Message, provider: string): OpenAIInputItem[] | undefined {
  const payload = isJsonObject(message) && message.role === "compactionSummary" ? message.providerPayload : undefined
  if (!isJsonObject(payload) || payload.provider !== provider) return undefined
  return Array.isArray(payload.replacementHistory) ? payload.replacementHistory : undefined
}

function inputItems({ message, blocks, text, images }: WireMessage): OpenAIInputItem[] {
  if (message.role === "assistant") return writeBlocks(blocks, ANSWERED)
  if (message.role === "toolResult") {
    const output = images.length > 0 ? writeBlocks(blocks, SAID) : text || NO_OUTPUT
    return [{ type: "function_call_output", call_id: message.toolCallId, output }]
  }
  if (blocks.length === 0) return []
  if (message.role === "user") return [{ role: "user", content: writeBlocks(blocks, SAID) }]
  return [{ role: message.role, content: text }]
}

const ANSWERED: BlockForms<OpenAIInputItem> = {
  text: ({ text }) => ({ role: "assistant", content: text }),
  thinking: ({ thinkingSignature }) => reasoningItem(thinkingSignature),
  toolCall: ({ id, name, arguments: args }) => ({
    type: "function_call",
    call_id: id,
    name,
    arguments: jsonText(args),
  }),
}

const SAID: BlockForms<OpenAIInputContent> = {
  text: ({ text }) => ({ type: "input_text", text }),
  image: (image) => ({ type: "input_image", detail: "auto", image_url: dataUrl(image) }),
}

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
