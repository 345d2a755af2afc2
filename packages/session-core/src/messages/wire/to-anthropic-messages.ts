import type { ThinkingContent } from "../../entry/message.js"
import { signedObject } from "../../entry/thoughts.js"
import { documentNote, type ImageType, isFilled } from "../block-values.js"
import { thinkingText } from "../convert-thinking.js"
import {
  attachedNote,
  type BlockForms,
  type Conversation,
  documentText,
  isImageAddress,
  plainText,
  repairedMessages,
  resultText,
  splitInstructions,
  type WireDocument,
  type WireMessage,
  type WireOptions,
  wireMessages,
  writeBlocks,
} from "./wire-message.js"

/** A message of Anthropic's Messages API. */
export type AnthropicMessage =
  | { role: "user"; content: (AnthropicText | AnthropicImage | AnthropicDocument | AnthropicToolResult)[] }
  | { role: "assistant"; content: (AnthropicText | AnthropicThinking | AnthropicToolUse)[] }

/** A text block of Anthropic's Messages API. */
export interface AnthropicText {
  type: "text"
  text: string
}

/** An image block of Anthropic's Messages API: its base64, or its address. */
export interface AnthropicImage {
  type: "image"
  source: { type: "base64"; media_type: ImageType; data: string } | { type: "url"; url: string }
}

/** A document block of Anthropic's Messages API: a PDF, or text. */
export interface AnthropicDocument {
  type: "document"
  source:
    | { type: "base64"; media_type: "application/pdf"; data: string }
    | { type: "text"; media_type: "text/plain"; data: string }
    | { type: "url"; url: string }
  title?: string | null
}

/** A tool result block of Anthropic's Messages API. */
export interface AnthropicToolResult {
  type: "tool_result"
  tool_use_id: string
  content: (AnthropicText | AnthropicImage | AnthropicDocument)[]
  is_error?: boolean
}

/** A thinking block of Anthropic's Messages API, signed or encrypted. */
export type AnthropicThinking =
  | { type: "thinking"; thinking: string; signature: string }
  | { type: "redacted_thinking"; data: string }

/** A tool call block of Anthropic's Messages API. */
export interface AnthropicToolUse {
  type: "tool_use"
  id: string
  name: string
  input: Record<string, unknown>
}

/** The part of a request that holds the conversation: `{ ...toAnthropicMessages(messages), model, max_tokens }`. */
export interface AnthropicMessages {
  system?: string
  messages: AnthropicMessage[]
}

/**
 * Converts a context for Anthropic's Messages API. Adjacent messages of one role become one message, with tool results first.
 * Instructions at the start become `system`; later ones become user text.
 * @param options.target default any model of `anthropic`
 */
export function toAnthropicMessages(context: Conversation, options: WireOptions = {}): AnthropicMessages {
  const forTarget = wireMessages(repairedMessages(context, options), options.target ?? { provider: "anthropic" })
  const { instructions, conversation } = splitInstructions(forTarget)
  const turns: AnthropicMessage[] = []
  for (const turn of conversation.map(anthropicTurn)) {
    const last = turns.at(-1)
    if (last?.role === turn.role) (last.content as unknown[]).push(...turn.content)
    else if (turn.content.length > 0) turns.push(turn)
  }
  for (const turn of turns) if (turn.role === "user") turn.content = withResultsFirst(turn.content)
  trimEnd(turns.at(-1))
  return { ...(instructions.length > 0 && { system: instructions.join("\n\n") }), messages: turns }
}

function anthropicTurn({ message, blocks, text, files }: WireMessage): AnthropicMessage {
  if (message.role === "assistant") return { role: "assistant", content: writeBlocks(blocks, ANSWERED) }
  const said = writeBlocks(blocks, SAID)
  if (message.role !== "toolResult") return { role: "user", content: said }
  const result = { type: "tool_result" as const, tool_use_id: message.toolCallId }
  const plain = plainText({ type: "text", text: resultText({ text, files }) })
  if (message.isError !== true)
    return { role: "user", content: [{ ...result, content: said.length > 0 ? said : [plain] }] }
  // A result that failed may have texts alone: its files stand behind the results.
  const behind = files.length > 0 ? writeBlocks([attachedNote(files), ...files], SAID) : []
  const isPlain = said.length > 0 && said.every(({ type }) => type === "text")
  return { role: "user", content: [{ ...result, content: isPlain ? said : [plain], is_error: true }, ...behind] }
}

function withResultsFirst<Block extends { type: string }>(content: readonly Block[]): Block[] {
  const isResult = ({ type }: Block): boolean => type === "tool_result"
  return [...content.filter(isResult), ...content.filter((block) => !isResult(block))]
}

const SAID: BlockForms<AnthropicText | AnthropicImage | AnthropicDocument> = {
  text: plainText,
  document: writeDocument,
  image: ({ mimeType, data }) => ({ type: "image", source: { type: "base64", media_type: mimeType, data } }),
}

const ANSWERED: BlockForms<AnthropicText | AnthropicThinking | AnthropicToolUse> = {
  text: plainText,
  thinking: writeThinking,
  toolCall: ({ id, name, arguments: input }) => ({ type: "tool_use", id, name, input }),
}

/** The block as it was stored where it is Anthropic's own. It reads no other files than PDFs. */
function writeDocument(document: WireDocument): AnthropicText | AnthropicImage | AnthropicDocument {
  const { stored, name, mimeType, text, data, url } = document
  if (stored.type === "document") return stored as unknown as AnthropicDocument
  if (text !== undefined) return plainText(documentText(document))
  if (isImageAddress(document)) return { type: "image", source: { type: "url", url: document.url } }
  const title = name === undefined ? {} : { title: name }
  if (url !== undefined) return { type: "document", source: { type: "url", url }, ...title }
  if (mimeType !== "application/pdf" || data === undefined)
    return { type: "text", text: documentNote(`this API reads no ${mimeType ?? "files of unknown types"}`) }
  return { type: "document", source: { type: "base64", media_type: mimeType, data }, ...title }
}

/**
 * Thinking without a signature, as an aborted answer leaves it, can only be sent as text. Of an item of OpenAI's, which a provider of both APIs gets back, the
 * signature is what is sealed.
 */
function writeThinking(block: ThinkingContent): AnthropicText | AnthropicThinking | undefined {
  const { thinking, thinkingSignature, redacted } = block
  const item = signedObject(thinkingSignature)
  if (item && isFilled(item.encrypted_content)) return { type: "thinking", thinking, signature: item.encrypted_content }
  if (!thinkingSignature || item)
    return thinking.trim() === "" ? undefined : { type: "text", text: thinkingText(thinking) }
  if (redacted) return { type: "redacted_thinking", data: thinkingSignature }
  return { type: "thinking", thinking, signature: thinkingSignature }
}

/** The model continues an answer at the end of the conversation; Anthropic rejects one that ends in white space. */
function trimEnd(turn: AnthropicMessage | undefined): void {
  const last = turn?.role === "assistant" ? turn.content.at(-1) : undefined
  if (last?.type === "text") last.text = last.text.trimEnd()
}
