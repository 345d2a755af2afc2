import { jsonText } from "../../../entry/json-text.js"
import type { Message, ToolResultMessage } from "../../../entry/message.js"
import { convertThinking } from "../convert-thinking.js"
import { convertToLlm } from "../convert-to-llm.js"
import type { ReadableImage } from "../image.js"
import type { SystemMessage } from "../llm-message.js"
import type { OpenAIImage, OpenAIMessage, OpenAIText } from "./openai-message.js"
import { dataUrl, imagesIn, textlessResult, type WireBlock, wireBlocks, wireText } from "./wire-blocks.js"
import { WireIds, wireToolName } from "./wire-ids.js"
import type { WireOptions } from "./wire-options.js"

/**
 * Converts messages for OpenAI's Chat Completions API. The target's own thinking is left out, since this API has no field for
 * it; images of tool results follow them in a user message. Does not repair: pass the result of `repairContext`.
 * @param options.target default any model of `openai`
 */
export function toOpenAIMessages(messages: readonly Message[], options: WireOptions = {}): OpenAIMessage[] {
  const forTarget = convertThinking(convertToLlm(messages).messages, options.target ?? { provider: "openai" })
  const ids = new WireIds()
  const translated: OpenAIMessage[] = []
  let shown: ReadableImage[] = []
  const showImages = (): void => {
    const note: OpenAIText = { type: "text", text: "Images of the results above:" }
    if (shown.length > 0) translated.push({ role: "user", content: [note, ...shown.map(imagePart)] })
    shown = []
  }
  for (const message of forTarget) {
    const blocks = wireBlocks(message.content)
    if (message.role === "toolResult") {
      shown.push(...imagesIn(blocks))
      translated.push(toolResult(message, blocks, ids))
      continue
    }
    // The results of one answer must be adjacent.
    showImages()
    if (message.role === "assistant") translated.push(...answer(blocks, ids))
    else translated.push(...said(message.role, blocks))
  }
  showImages()
  return translated
}

function toolResult({ toolCallId }: ToolResultMessage, blocks: readonly WireBlock[], ids: WireIds): OpenAIMessage {
  const content = wireText(blocks) || textlessResult(imagesIn(blocks).length > 0)
  return { role: "tool", tool_call_id: ids.of(String(toolCallId)), content }
}

function answer(blocks: readonly WireBlock[], ids: WireIds): OpenAIMessage[] {
  const calls = blocks
    .filter((block) => block.type === "toolCall")
    .map(({ id, name, arguments: args }) => {
      const called = { name: wireToolName(name), arguments: jsonText(args) }
      return { id: ids.of(id), type: "function" as const, function: called }
    })
  const text = wireText(blocks)
  if (text === "" && calls.length === 0) return []
  return [{ role: "assistant", content: text || null, ...(calls.length > 0 && { tool_calls: calls }) }]
}

function said(role: "user" | SystemMessage["role"], blocks: readonly WireBlock[]): OpenAIMessage[] {
  if (role !== "user" || imagesIn(blocks).length === 0) {
    const content = wireText(blocks)
    return content === "" ? [] : [{ role, content }]
  }
  const parts = blocks.flatMap((block): (OpenAIText | OpenAIImage)[] => {
    if (block.type === "text") return [{ type: "text", text: block.text }]
    return block.type === "image" ? [imagePart(block)] : []
  })
  return [{ role, content: parts }]
}

function imagePart(image: ReadableImage): OpenAIImage {
  return { type: "image_url", image_url: { url: dataUrl(image) } }
}
