import { isJsonObject } from "../../../entry/json-object.js"
import { jsonText } from "../../../entry/json-text.js"
import type { AssistantMessage, Message, ToolResultMessage } from "../../../entry/message.js"
import { convertThinking } from "../convert-thinking.js"
import { convertToLlm } from "../convert-to-llm.js"
import type { LlmMessage } from "../llm-message.js"
import type { OpenAIInputContent, OpenAIInputItem } from "./openai-input-item.js"
import { reasoningItem } from "./reasoning-item.js"
import { dataUrl, imagesIn, textlessResult, type WireBlock, wireBlocks, wireText } from "./wire-blocks.js"
import { WireIds, wireToolName } from "./wire-ids.js"
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
  const ids = new WireIds()
  return messages.flatMap((message) => {
    const own = ownHistory(message, target.provider)
    if (own) return own
    return convertThinking(convertToLlm([message]).messages, target).flatMap((one) => inputItems(one, ids))
  })
}

/** The history that the provider's own compaction returned, which is sent back unchanged. */
function ownHistory(message: Message, provider: string): OpenAIInputItem[] | undefined {
  const payload = isJsonObject(message) && message.role === "compactionSummary" ? message.providerPayload : undefined
  if (!isJsonObject(payload) || payload.provider !== provider) return undefined
  return Array.isArray(payload.replacementHistory) ? payload.replacementHistory : undefined
}

function inputItems(message: LlmMessage, ids: WireIds): OpenAIInputItem[] {
  if (message.role === "assistant") return answerItems(message, ids)
  const blocks = wireBlocks(message.content)
  if (message.role === "toolResult") return [resultItem(message, blocks, ids)]
  if (blocks.length === 0) return []
  if (message.role === "user") return [{ role: "user", content: inputContent(blocks) }]
  return [{ role: message.role, content: wireText(blocks) }]
}

function answerItems({ content }: AssistantMessage, ids: WireIds): OpenAIInputItem[] {
  return wireBlocks(content).flatMap((block): OpenAIInputItem[] => {
    if (block.type === "text") return [{ role: "assistant", content: block.text }]
    if (block.type === "thinking") return [reasoningItem(block.thinkingSignature) ?? []].flat()
    if (block.type !== "toolCall") return []
    const called = { name: wireToolName(block.name), arguments: jsonText(block.arguments) }
    return [{ type: "function_call", call_id: ids.of(block.id), ...called }]
  })
}

function resultItem({ toolCallId }: ToolResultMessage, blocks: readonly WireBlock[], ids: WireIds): OpenAIInputItem {
  const output = imagesIn(blocks).length > 0 ? inputContent(blocks) : wireText(blocks) || textlessResult(false)
  return { type: "function_call_output", call_id: ids.of(String(toolCallId)), output }
}

function inputContent(blocks: readonly WireBlock[]): OpenAIInputContent[] {
  return blocks.flatMap((block): OpenAIInputContent[] => {
    if (block.type === "text") return [{ type: "input_text", text: block.text }]
    return block.type === "image" ? [{ type: "input_image", detail: "auto", image_url: dataUrl(block) }] : []
  })
}
