import type { ThinkingContent } from "../../../entry/content.js"
import type { AssistantMessage, Message, ToolResultMessage } from "../../../entry/message.js"
import { convertThinking } from "../convert-thinking.js"
import { convertToLlm } from "../convert-to-llm.js"
import type { LlmMessage } from "../llm-message.js"
import { thinkingText } from "../thinking-text.js"
import type {
  AnthropicImage,
  AnthropicMessage,
  AnthropicMessages,
  AnthropicText,
  AnthropicThinking,
  AnthropicToolResult,
  AnthropicToolUse,
} from "./anthropic-message.js"
import { splitInstructions } from "./instructions.js"
import { textlessResult, type WireBlock, wireBlocks } from "./wire-blocks.js"
import { WireIds, wireToolName } from "./wire-ids.js"
import type { WireOptions } from "./wire-options.js"

/**
 * Converts messages for Anthropic's Messages API. Adjacent messages of one role become one message, with tool results first.
 * Instructions at the start become `system`; later ones become user text. Does not repair: pass the result of `repairContext`.
 * @param options.target default any model of `anthropic`
 */
export function toAnthropicMessages(messages: readonly Message[], options: WireOptions = {}): AnthropicMessages {
  const forTarget = convertThinking(convertToLlm(messages).messages, options.target ?? { provider: "anthropic" })
  const { instructions, conversation } = splitInstructions(forTarget)
  const ids = new WireIds()
  const turns: AnthropicMessage[] = []
  for (const message of conversation) addTurn(turns, anthropicTurn(message, ids))
  trimEnd(turns.at(-1))
  return { ...(instructions.length > 0 && { system: instructions.join("\n\n") }), messages: turns }
}

function addTurn(turns: AnthropicMessage[], turn: AnthropicMessage): void {
  const last = turns.at(-1)
  if (turn.content.length === 0) return
  if (last?.role === "user" && turn.role === "user") last.content.push(...turn.content)
  else if (last?.role === "assistant" && turn.role === "assistant") last.content.push(...turn.content)
  else turns.push(turn)
}

function anthropicTurn(message: LlmMessage, ids: WireIds): AnthropicMessage {
  if (message.role === "assistant") return { role: "assistant", content: answerBlocks(message, ids) }
  if (message.role === "toolResult") return { role: "user", content: [toolResult(message, ids)] }
  return { role: "user", content: saidBlocks(wireBlocks(message.content)) }
}

function saidBlocks(blocks: readonly WireBlock[]): (AnthropicText | AnthropicImage)[] {
  return blocks.flatMap((block): (AnthropicText | AnthropicImage)[] => {
    if (block.type === "text") return [{ type: "text", text: block.text }]
    if (block.type !== "image") return []
    return [{ type: "image", source: { type: "base64", media_type: block.mimeType, data: block.data } }]
  })
}

function toolResult({ toolCallId, content, isError }: ToolResultMessage, ids: WireIds): AnthropicToolResult {
  const blocks = saidBlocks(wireBlocks(content))
  return {
    type: "tool_result",
    tool_use_id: ids.of(String(toolCallId)),
    content: blocks.length > 0 ? blocks : [{ type: "text", text: textlessResult(false) }],
    ...(isError === true && { is_error: true }),
  }
}

type AnswerBlock = AnthropicText | AnthropicThinking | AnthropicToolUse

function answerBlocks({ content }: AssistantMessage, ids: WireIds): AnswerBlock[] {
  return wireBlocks(content).flatMap((block): AnswerBlock[] => {
    if (block.type === "text") return [{ type: "text", text: block.text }]
    if (block.type === "thinking") return thinking(block)
    if (block.type !== "toolCall") return []
    const { id, name, arguments: input } = block
    return [{ type: "tool_use", id: ids.of(id), name: wireToolName(name), input }]
  })
}

/** Thinking without a signature, as an aborted answer leaves it, can only be sent as text. */
function thinking({ thinking, thinkingSignature, redacted }: ThinkingContent): (AnthropicText | AnthropicThinking)[] {
  if (!thinkingSignature) return thinking.trim() === "" ? [] : [{ type: "text", text: thinkingText(thinking) }]
  if (redacted) return [{ type: "redacted_thinking", data: thinkingSignature }]
  return [{ type: "thinking", thinking, signature: thinkingSignature }]
}

/** The model continues an answer at the end of the conversation; Anthropic rejects one that ends in white space. */
function trimEnd(turn: AnthropicMessage | undefined): void {
  const last = turn?.role === "assistant" ? turn.content.at(-1) : undefined
  if (last?.type === "text") last.text = last.text.trimEnd()
}
