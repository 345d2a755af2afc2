import { isJsonObject } from "../../../entry/json-object.js"
import { jsonText } from "../../../entry/json-text.js"
import type { Message } from "../../../entry/message.js"
import type { OpenAIInputContent, OpenAIInputItem } from "./openai-input-item.js"
import { reasoningItem } from "./reasoning-item.js"
import {
  type BlockForms,
  dataUrl,
  NO_OUTPUT,
  type WireMessage,
  wireIds,
  wireMessages,
  writeBlocks,
} from "./wire-message.js"
import type { WireOptions } from "./wire-options.js"

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
