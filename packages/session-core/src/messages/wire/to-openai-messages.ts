import { jsonText, parsedJson } from "../../entry/json-text.js"
import type { ToolCall } from "../../entry/message.js"
import { isJsonObject, textIn } from "../../entry/values.js"
import { documentNote, isFilled, type ReadableImage } from "../block-values.js"
import {
  attachedNote,
  type BlockForms,
  type Conversation,
  dataUrl,
  documentFile,
  documentText,
  isImageAddress,
  isMedia,
  plainText,
  repairedMessages,
  resultText,
  type WireDocument,
  type WireMessage,
  type WireOptions,
  wireMessages,
  writeBlocks,
} from "./wire-message.js"

/** A message of OpenAI's Chat Completions API. */
export type OpenAIMessage =
  | { role: "system" | "developer"; content: string }
  | { role: "user"; content: string | (OpenAIText | OpenAIImage | OpenAIFile)[] }
  | ({ role: "assistant"; content: string | null; tool_calls?: OpenAIToolCall[] } & OpenAIReasoning)
  | { role: "tool"; tool_call_id: string; content: string }

/** The fields in which servers with this API have the thinking of their models, and require it back with its calls. OpenAI has none. */
interface OpenAIReasoning {
  reasoning_content?: string
  reasoning?: string
  reasoning_text?: string
  reasoning_details?: unknown[]
}

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

/** A file of OpenAI's Chat Completions API, as a data URL. */
export interface OpenAIFile {
  type: "file"
  file: { filename: string; file_data: string }
}

/** A tool call of OpenAI's Chat Completions API. */
export interface OpenAIToolCall {
  id: string
  type: "function"
  /** `arguments` is JSON. */
  function: { name: string; arguments: string }
}

/**
 * Converts a context for OpenAI's Chat Completions API. The target's own thinking is sent in the field that its signature names
 * (`reasoning_content` and the like), and else left out, since OpenAI has no field for it; images and documents of tool results follow them in a user message.
 * @param options.target default any model of `openai`
 */
export function toOpenAIMessages(context: Conversation, options: WireOptions = {}): OpenAIMessage[] {
  const translated: OpenAIMessage[] = []
  let shown: (ReadableImage | WireDocument)[] = []
  const showFiles = (): void => {
    if (shown.length > 0)
      translated.push({ role: "user", content: writeBlocks([attachedNote(shown), ...shown], PARTS) })
    shown = []
  }
  for (const message of wireMessages(repairedMessages(context, options), options.target ?? { provider: "openai" })) {
    // The results of one answer must be adjacent.
    if (message.message.role === "toolResult") shown.push(...message.files)
    else showFiles()
    translated.push(...openAIMessage(message))
  }
  showFiles()
  return withReasoningContent(translated)
}

/** Servers that have thinking in `reasoning_content` may reject a reply without the field, also one of another model. */
function withReasoningContent(messages: readonly OpenAIMessage[]): OpenAIMessage[] {
  const isThought = messages.some((message) => "reasoning_content" in message)
  return messages.map((message) =>
    isThought && message.role === "assistant"
      ? { ...message, reasoning_content: message.reasoning_content ?? "" }
      : message,
  )
}

function openAIMessage({ message, blocks, text, files }: WireMessage): OpenAIMessage[] {
  if (message.role === "toolResult")
    return [{ role: "tool", tool_call_id: message.toolCallId, content: resultText({ text, files }) }]
  if (message.role === "assistant") {
    const calls = writeBlocks(blocks, { toolCall: functionCall })
    if (text === "" && calls.length === 0) return []
    const said = { role: "assistant" as const, content: text || null, ...reasoningFields(blocks) }
    return [calls.length > 0 ? { ...said, tool_calls: calls } : said]
  }
  const { role } = message
  if (role === "user" && files.length > 0) return [{ role, content: writeBlocks(blocks, PARTS) }]
  return text === "" ? [] : [{ role, content: text }]
}

/** As pi stores it: the signature of a thought is the name of its field, or the list of its details as OpenRouter has them. */
function reasoningFields(blocks: WireMessage["blocks"]): OpenAIReasoning {
  const thoughts = blocks.filter((block) => block.type === "thinking")
  const details = thoughts
    .map(({ thinkingSignature }) => detailsIn(thinkingSignature))
    .find((list) => list !== undefined)
  if (details) return { reasoning_details: details }
  const filled = thoughts.filter(({ thinking }) => isFilled(thinking))
  const field = FIELDS.find((name) => name === filled[0]?.thinkingSignature)
  return field === undefined ? {} : { [field]: filled.map(({ thinking }) => thinking).join("\n") }
}

const FIELDS = ["reasoning_content", "reasoning", "reasoning_text"] as const

function detailsIn(signature = ""): unknown[] | undefined {
  const list = signature.startsWith("[") ? parsedJson(signature) : undefined
  const isDetail = (one: unknown) => isJsonObject(one) && textIn(one.type).startsWith("reasoning.")
  return Array.isArray(list) && list.length > 0 && list.every(isDetail) ? list : undefined
}

function functionCall({ id, name, arguments: args }: ToolCall): OpenAIToolCall {
  return { id, type: "function", function: { name, arguments: jsonText(args) } }
}

const PARTS: BlockForms<OpenAIText | OpenAIImage | OpenAIFile> = {
  text: plainText,
  document: (document) => {
    if (document.text !== undefined) return plainText(documentText(document))
    if (isMedia(document)) return { type: "text", text: documentNote(`this API reads no ${document.mimeType}`) }
    if (isImageAddress(document)) return { type: "image_url", image_url: { url: document.url } }
    if (document.url !== undefined) return { type: "text", text: documentNote("this API takes no addresses of files") }
    const { name, url } = documentFile(document)
    return { type: "file", file: { filename: name, file_data: url } }
  },
  image: (image) => ({ type: "image_url", image_url: { url: dataUrl(image) } }),
}
