import { jsonText } from "../../../entry/json-text.js"
import type { Message, ToolCall } from "../../../entry/message.js"
import type { ReadableImage } from "../block-values.js"
import {
  type BlockForms,
  dataUrl,
  NO_OUTPUT,
  plainText,
  type WireMessage,
  type WireOptions,
  wireMessages,
  writeBlocks,
} from "./wire-message.js"

/** A message of OpenAI's Chat Completions API. */
export type OpenAIMessage =
  | { role: "system" | "developer"; content: string }
  | { role: "user"; content: string | (OpenAIText | OpenAIImage)[] }
  | { role: "assistant"; content: string | null; tool_calls?: OpenAIToolCall[] }
  | { role: "tool"; tool_call_id: string; content: string }

/** A text part of OpenAI's Chat Completions API. */
export interface OpenAIText {
  type: "text"
  text: string
}

/** An image part of OpenAI's Chat Completions API, as a data URL. */
export interface OpenAIImage {
  type: "image_url"
  image_url: { url: string }
}

/** A tool call of OpenAI's Chat Completions API. */
export interface OpenAIToolCall {
  id: string
  type: "function"
  /** `arguments` is JSON. */
  function: { name: string; arguments: string }
}

/**
 * Converts messages for OpenAI's Chat Completions API. The target's own thinking is left out, since this API has no field for
 * it; images of tool results follow them in a user message. Does not repair: pass the result of `repairContext`.
 * @param options.target default any model of `openai`
 */
export function toOpenAIMessages(messages: readonly Message[], options: WireOptions = {}): OpenAIMessage[] {
  const translated: OpenAIMessage[] = []
  let shown: ReadableImage[] = []
  const showImages = (): void => {
    const note: OpenAIText = { type: "text", text: "Images of the results above:" }
    if (shown.length > 0) translated.push({ role: "user", content: [note, ...writeBlocks(shown, PARTS)] })
    shown = []
  }
  for (const message of wireMessages(messages, options.target ?? { provider: "openai" })) {
    // The results of one answer must be adjacent.
    if (message.message.role === "toolResult") shown.push(...message.images)
    else showImages()
    translated.push(...openAIMessage(message))
  }
  showImages()
  return translated
}

function openAIMessage({ message, blocks, text, images }: WireMessage): OpenAIMessage[] {
  if (message.role === "toolResult") {
    const content = text || (images.length > 0 ? "(see the attached image)" : NO_OUTPUT)
    return [{ role: "tool", tool_call_id: message.toolCallId, content }]
  }
  if (message.role === "assistant") {
    const calls = writeBlocks(blocks, { toolCall: functionCall })
    if (text === "" && calls.length === 0) return []
    return [{ role: "assistant", content: text || null, ...(calls.length > 0 && { tool_calls: calls }) }]
  }
  const { role } = message
  if (role === "user" && images.length > 0) return [{ role, content: writeBlocks(blocks, PARTS) }]
  return text === "" ? [] : [{ role, content: text }]
}

function functionCall({ id, name, arguments: args }: ToolCall): OpenAIToolCall {
  return { id, type: "function", function: { name, arguments: jsonText(args) } }
}

const PARTS: BlockForms<OpenAIText | OpenAIImage> = {
  text: plainText,
  image: (image) => ({ type: "image_url", image_url: { url: dataUrl(image) } }),
}
