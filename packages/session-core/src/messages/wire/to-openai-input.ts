import { withoutSections } from "../../context/system-message.js"
import { jsonText } from "../../entry/json-text.js"
import type { Message, ToolCall } from "../../entry/message.js"
import { signedObject } from "../../entry/thoughts.js"
import { isJsonObject, type JsonObject } from "../../entry/values.js"
import { documentNote } from "../block-values.js"
import {
  type BlockForms,
  type Conversation,
  dataUrl,
  documentFile,
  documentText,
  isImageAddress,
  isMedia,
  NO_OUTPUT,
  repairedMessages,
  type WireMessage,
  type WireOptions,
  wireIds,
  wireMessages,
  writeBlocks,
} from "./wire-message.js"

/** An item of the `input` of OpenAI's Responses API. */
export type OpenAIInputItem =
  | { role: "system" | "developer"; content: string }
  | { role: "assistant"; content: string; phase?: "commentary" | "final_answer" }
  | { role: "user"; content: OpenAIInputContent[] }
  | { type: "function_call"; call_id: string; name: string; arguments: string; namespace?: string }
  | { type: "function_call_output"; call_id: string; output: string | OpenAIInputContent[] }
  | { type: "custom_tool_call"; call_id: string; name: string; input: string }
  | { type: "custom_tool_call_output"; call_id: string; output: string | OpenAIInputContent[] }
  | OpenAIReasoningItem

/** A content part of an input item. */
export type OpenAIInputContent =
  | { type: "input_text"; text: string }
  | { type: "input_image"; detail: "auto"; image_url: string }
  | { type: "input_file"; filename?: string; file_data?: string; file_url?: string }

/** A reasoning item as OpenAI returned it, kept as JSON in a `thinkingSignature`. */
export interface OpenAIReasoningItem {
  type: "reasoning"
  /** Missing in items that Codex stored without it. The API accepts those with `encrypted_content`. */
  id: string
  summary: { type: "summary_text"; text: string }[]
  encrypted_content: string
}

/**
 * Converts messages to the `input` of OpenAI's Responses API, for requests with `store: false`. The target's own reasoning is sent
 * back as the original items, but for items that only have an id, which only OpenAI could know; and its own server-side compaction as the history that it returned; build the context with
 * `provider` in that case, so that the entries which that history replaces are not sent too.
 * @param options.target default any model of `openai`
 */
export function toOpenAIInput(context: Conversation, options: WireOptions = {}): OpenAIInputItem[] {
  const target = options.target ?? { provider: "openai" }
  const idOf = wireIds()
  const customCalls = new Set<string>()
  const items = repairedMessages(context, options)
    .map(withoutSections)
    .flatMap(
      (message) =>
        ownHistory(message, target.provider) ??
        wireMessages([message], target, idOf).flatMap((wire) => inputItems(wire, customCalls)),
    )
  return withoutRepeatedReasoning(items)
}

/** The API rejects two items with one id. The AI SDK makes a part of each summary of an item, which were one item. */
function withoutRepeatedReasoning(items: readonly OpenAIInputItem[]): OpenAIInputItem[] {
  const known = new Map<string, number>()
  const own: OpenAIInputItem[] = []
  for (const item of items) {
    const isReasoning = "type" in item && item.type === "reasoning" && item.id !== undefined
    const at = isReasoning ? known.get(item.id) : undefined
    const first = at === undefined ? undefined : own[at]
    if (isReasoning && first && "summary" in first) {
      if (at === own.length - 1) own[at] = { ...first, summary: [...first.summary, ...item.summary] }
      continue
    }
    if (isReasoning) known.set(item.id, own.length)
    own.push(item)
  }
  return own
}

/** The history that the provider's own compaction returned, which is sent back unchanged. */
function ownHistory(message: Message, provider: string): OpenAIInputItem[] | undefined {
  const payload = isJsonObject(message) && message.role === "compactionSummary" ? message.providerPayload : undefined
  if (!isJsonObject(payload) || payload.provider !== provider) return undefined
  if (!Array.isArray(payload.replacementHistory)) return undefined
  return payload.replacementHistory.filter((item) => !isJsonObject(item) || item.type !== "reasoning" || isSealed(item))
}

/** @param customCalls the ids of the custom tools' calls so far, to which those of this message are added */
function inputItems({ message, blocks, text, files }: WireMessage, customCalls: Set<string>): OpenAIInputItem[] {
  if (message.role === "assistant") {
    const items = writeBlocks(blocks, ANSWERED)
    for (const item of items) if ("type" in item && item.type === "custom_tool_call") customCalls.add(item.call_id)
    return items
  }
  if (message.role === "toolResult") {
    const output = files.length > 0 ? writeBlocks(blocks, SAID) : text || NO_OUTPUT
    const { toolCallId: call_id } = message
    return [{ type: customCalls.has(call_id) ? "custom_tool_call_output" : "function_call_output", call_id, output }]
  }
  if (blocks.length === 0) return []
  if (message.role === "user") return [{ role: "user", content: writeBlocks(blocks, SAID) }]
  return [{ role: message.role, content: text }]
}

const ANSWERED: BlockForms<OpenAIInputItem> = {
  text: ({ text, textSignature }) => ({ role: "assistant", content: text, ...phaseIn(textSignature) }),
  thinking: ({ thinkingSignature }) => reasoningItem(thinkingSignature),
  toolCall: callItem,
}

/** Whether a text of OpenAI's comments on what its model does or is the answer: without it, a model may take a comment for the end. */
export function phaseIn(textSignature: string | undefined): { phase?: "commentary" | "final_answer" } {
  const phase = signedObject(textSignature)?.phase
  return phase === "commentary" || phase === "final_answer" ? { phase } : {}
}

/** A call as the item that it was: its signature has the type of a custom tool's call, and the namespace of a function. */
function callItem({ id, name, arguments: args, thoughtSignature }: ToolCall): OpenAIInputItem {
  const { type, namespace } = signedObject(thoughtSignature) ?? {}
  if (type === "custom_tool_call" && typeof args.input === "string")
    return { type, call_id: id, name, input: args.input }
  return {
    type: "function_call",
    call_id: id,
    name,
    arguments: jsonText(args),
    ...(type === "function_call" && typeof namespace === "string" && { namespace }),
  }
}

const SAID: BlockForms<OpenAIInputContent> = {
  text: ({ text }) => ({ type: "input_text", text }),
  image: (image) => ({ type: "input_image", detail: "auto", image_url: dataUrl(image) }),
  document: (document) => {
    if (document.text !== undefined) return { type: "input_text", text: documentText(document).text }
    if (isMedia(document)) return { type: "input_text", text: documentNote(`this API reads no ${document.mimeType}`) }
    if (isImageAddress(document)) return { type: "input_image", detail: "auto", image_url: document.url }
    if (document.url !== undefined) return { type: "input_file", file_url: document.url }
    const { name, url } = documentFile(document)
    return { type: "input_file", filename: name, file_data: url }
  },
}

/** The OpenAI reasoning item in a signature; undefined for signatures of another kind, and for an item without its content. */
export function reasoningItem(signature: string | undefined): OpenAIReasoningItem | undefined {
  const item = signedObject(signature)
  if (item?.type !== "reasoning" || !Array.isArray(item.summary) || !isSealed(item)) return undefined
  return item.id === undefined || typeof item.id === "string" ? (item as unknown as OpenAIReasoningItem) : undefined
}

/** Whether an item of reasoning can be read by who has it alone. Of a response that was stored or stopped, only the id may be known. */
function isSealed({ encrypted_content: content }: JsonObject): boolean {
  return typeof content === "string" && content !== ""
}
