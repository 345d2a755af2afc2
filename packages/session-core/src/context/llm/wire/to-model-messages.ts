import type { AssistantMessage, Message, ToolResultMessage } from "../../../entry/message.js"
import { convertThinking } from "../convert-thinking.js"
import { convertToLlm } from "../convert-to-llm.js"
import type { LlmMessage } from "../llm-message.js"
import { splitInstructions } from "./instructions.js"
import type {
  ModelImage,
  ModelMessage,
  ModelReasoning,
  ModelText,
  ModelToolCall,
  ModelToolResult,
} from "./model-message.js"
import { callOptions, reasoningOptions } from "./reasoning-options.js"
import { imagesIn, textlessResult, type WireBlock, wireBlocks, wireText } from "./wire-blocks.js"
import { WireIds, wireToolName } from "./wire-ids.js"
import type { WireOptions } from "./wire-options.js"

/**
 * Converts messages for the Vercel AI SDK (`ModelMessage`, versions 6 and 7). Adjacent tool results become one message.
 * Instructions at the start become `system`; later ones become user text. Does not repair: pass the result of `repairContext`.
 * @param options.target without it, all thinking is sent as reasoning, with the options of its own provider
 */
export function toModelMessages(messages: readonly Message[], options: WireOptions = {}): ModelMessage[] {
  const { messages: llm } = convertToLlm(messages)
  const forTarget = options.target ? convertThinking(llm, options.target) : llm
  const { instructions, conversation } = splitInstructions(forTarget)
  const ids = new WireIds()
  const translated: ModelMessage[] = instructions.map((content) => ({ role: "system", content }))
  for (const message of conversation) {
    const last = translated.at(-1)
    const next = modelMessage(message, ids)
    if (last?.role === "tool" && next.role === "tool") last.content.push(...next.content)
    else if (next.content.length > 0) translated.push(next)
  }
  return translated
}

function modelMessage(message: LlmMessage, ids: WireIds): Exclude<ModelMessage, { role: "system" }> {
  const blocks = wireBlocks(message.content)
  if (message.role === "assistant") return { role: "assistant", content: answerParts(message, blocks, ids) }
  if (message.role === "toolResult") return { role: "tool", content: [resultPart(message, blocks, ids)] }
  return { role: "user", content: saidParts(blocks) }
}

function saidParts(blocks: readonly WireBlock[]): (ModelText | ModelImage)[] {
  return blocks.flatMap((block): (ModelText | ModelImage)[] => {
    if (block.type === "text") return [{ type: "text", text: block.text }]
    return block.type === "image" ? [{ type: "image", image: block.data, mediaType: block.mimeType }] : []
  })
}

function answerParts(
  message: AssistantMessage,
  blocks: readonly WireBlock[],
  ids: WireIds,
): (ModelText | ModelReasoning | ModelToolCall)[] {
  return blocks.flatMap((block): (ModelText | ModelReasoning | ModelToolCall)[] => {
    if (block.type === "text") return [{ type: "text", text: block.text }]
    if (block.type === "thinking") {
      const providerOptions = reasoningOptions(block, message)
      return [{ type: "reasoning", text: block.thinking, ...(providerOptions && { providerOptions }) }]
    }
    if (block.type !== "toolCall") return []
    const providerOptions = callOptions(block.thoughtSignature)
    const called = { toolCallId: ids.of(block.id), toolName: wireToolName(block.name), input: block.arguments }
    return [{ type: "tool-call", ...called, ...(providerOptions && { providerOptions }) }]
  })
}

function resultPart(
  { toolCallId, toolName, isError }: ToolResultMessage,
  blocks: readonly WireBlock[],
  ids: WireIds,
): ModelToolResult {
  const called = { toolCallId: ids.of(String(toolCallId)), toolName: wireToolName(String(toolName)) }
  return { type: "tool-result", ...called, output: resultOutput(blocks, isError === true) }
}

type ResultPart = ModelText | { type: "image-data"; data: string; mediaType: string }

/** The SDK has no failed results with images: those are sent as normal results, and only their text says that they failed. */
function resultOutput(blocks: readonly WireBlock[], isError: boolean): ModelToolResult["output"] {
  if (imagesIn(blocks).length === 0) {
    return { type: isError ? "error-text" : "text", value: wireText(blocks) || textlessResult(false) }
  }
  const value = blocks.flatMap((block): ResultPart[] => {
    if (block.type === "text") return [{ type: "text", text: block.text }]
    return block.type === "image" ? [{ type: "image-data", data: block.data, mediaType: block.mimeType }] : []
  })
  return { type: "content", value }
}
