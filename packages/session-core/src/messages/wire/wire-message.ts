import { documentIn, type FoundDocument } from "../../entry/document.js"
import type { Message, TextContent, ThinkingContent, ToolCall } from "../../entry/message.js"
import { contentText, isJsonObject, type JsonObject, textIn, valueText } from "../../entry/values.js"
import { decodeCanonicalBase64 } from "../../persist/base64.js"
import { documentNote, imageNote, isFilled, type ReadableImage, readableImage, whyNoDocument } from "../block-values.js"
import { convertThinking, type ThinkingTarget } from "../convert-thinking.js"
import { convertToLlm, type LlmMessage } from "../convert-to-llm.js"
import type { RepairOptions } from "../repair/context-change.js"
import { repairContext } from "../repair/repair-context.js"
import { UI } from "./ui-message.js"

/** Options for the converters to provider formats. */
export interface WireOptions extends RepairOptions {
  /** The model that gets the messages: only its own thinking is sent as thinking, that of others as text. */
  readonly target?: ThinkingTarget | undefined
  /** False to convert the messages as they are, such as those of `repairContext`. Default true: `repairContext` repairs them first. */
  readonly repair?: boolean | undefined
}

/** What is converted: the context of a session (`readContext`), or messages. */
export type Conversation = readonly Message[] | { readonly messages: readonly Message[] }

/** The messages of a conversation as they are to be converted. */
export function repairedMessages(
  conversation: Conversation,
  { repair = true, images }: WireOptions,
): readonly Message[] {
  const messages = "messages" in conversation ? conversation.messages : conversation
  return repair ? repairContext(messages, { images }).messages : messages
}

/** A document, and the block that it was stored as. */
export interface WireDocument extends FoundDocument {
  readonly type: "document"
  readonly stored: JsonObject
}

type WireBlock = TextContent | ReadableImage | WireDocument | ThinkingContent | ToolCall

/** A message with what can be sent of it, in the form that all providers share. */
export interface WireMessage {
  /** With the ids and names of tools as every provider accepts them, as in `blocks`. Its content may be of any type. */
  readonly message: LlmMessage
  readonly blocks: readonly WireBlock[]
  /** The texts of the blocks and of documents, joined by line breaks. */
  readonly text: string
  /** Images, and documents that are not text. */
  readonly files: readonly (ReadableImage | WireDocument)[]
}

/** The text that is sent for a result without content. */
export const NO_OUTPUT = "(no output)"

/** The text of a result whose files an API takes elsewhere only. */
export function resultText({ text, files }: Pick<WireMessage, "text" | "files">): string {
  const attached = files.every(({ type }) => type === "image") ? "image" : "file"
  return text || (files.length > 0 ? `(see the attached ${attached})` : NO_OUTPUT)
}

/** The text before files of results that stand behind these. */
export function attachedNote(files: WireMessage["files"]): TextContent {
  const what = files.every(({ type }) => type === "image") ? "Images" : "Files"
  return { type: "text", text: `${what} of the results above:` }
}

/** @param target without it, all thinking stays thinking */
export function wireMessages(
  messages: readonly Message[],
  target: ThinkingTarget | undefined,
  idOf = wireIds(),
): WireMessage[] {
  const { messages: llm } = convertToLlm(messages)
  return (target ? convertThinking(llm, target) : llm).map((message) => {
    const { content }: { content: unknown } = message
    const listed = typeof content === "string" ? [{ type: "text", text: content }] : content
    const blocks = (Array.isArray(listed) ? listed : []).flatMap((block) => wireBlock(block, idOf) ?? [])
    const files = blocks.filter((block) => isFile(block))
    const text = contentText(blocks.map((block) => (isTextDocument(block) ? documentText(block) : block)))
    return { message: withWireCall(message, idOf), blocks, text, files }
  })
}

function isFile(block: WireBlock): block is ReadableImage | WireDocument {
  return block.type === "image" || (block.type === "document" && !isTextDocument(block))
}

function isTextDocument(block: WireBlock): block is WireDocument {
  return block.type === "document" && block.text !== undefined
}

/** What a file of text says: only some APIs read such files, and all of them texts. */
function decodedText({ mimeType = "", data }: FoundDocument): string | undefined {
  const bytes = data !== undefined && mimeType.startsWith("text/") ? decodeCanonicalBase64(data) : undefined
  return bytes && new TextDecoder("utf-8", { fatal: false, ignoreBOM: false }).decode(bytes)
}

/** Whether a document is an image that an API has to fetch. */
export function isImageAddress(document: WireDocument): document is WireDocument & { readonly url: string } {
  return document.url !== undefined && document.mimeType?.startsWith("image/") === true
}

export function isMedia({ mimeType = "" }: WireDocument): boolean {
  return /^(?:audio|video)\//.test(mimeType)
}

/** A document of text as a text block, behind its name. */
export function documentText({ name, text = "" }: WireDocument): TextContent {
  return { type: "text", text: name === undefined ? text : `[${name}]\n${text}` }
}

/** A document as a data URL, and the name that APIs ask for. */
export function documentFile({ name, mimeType = "application/pdf", data }: WireDocument): {
  name: string
  url: string
} {
  return { name: name ?? "document.pdf", url: `data:${mimeType};base64,${data}` }
}

function withWireCall(message: LlmMessage, idOf: (id: string) => string): LlmMessage {
  if (message.role !== "toolResult") return message
  const toolCallId = idOf(valueText(message.toolCallId))
  return { ...message, toolCallId, toolName: wireToolName(valueText(message.toolName)) }
}

/** Separates the instructions at the start of a conversation from the rest: most providers accept them only as a separate field. */
export function splitInstructions(messages: readonly WireMessage[]): {
  instructions: string[]
  conversation: readonly WireMessage[]
} {
  const first = messages.findIndex(({ message: { role } }) => role !== "system" && role !== "developer")
  const count = first < 0 ? messages.length : first
  const instructions = messages.slice(0, count).flatMap(({ text }) => text || [])
  return { instructions, conversation: messages.slice(count) }
}

/** How an API writes the types of blocks that it accepts. */
export type BlockForms<Part> = {
  readonly [Type in WireBlock["type"]]?: (block: Extract<WireBlock, { type: Type }>) => Part | undefined
}

/** Writes each block in the form for its type; leaves out those without. */
export function writeBlocks<Part>(blocks: readonly WireBlock[], forms: BlockForms<Part>): Part[] {
  const formOf = (block: WireBlock) => forms[block.type] as ((block: WireBlock) => Part | undefined) | undefined
  return blocks.flatMap((block) => formOf(block)?.(block) ?? [])
}

/** A text block, in the form that most APIs have. */
export function plainText({ text }: TextContent): { type: "text"; text: string } {
  return { type: "text", text }
}

export function dataUrl({ data, mimeType }: ReadableImage): string {
  return `data:${mimeType};base64,${data}`
}

/** The block as it can be sent; an unreadable image becomes a text. */
function wireBlock(block: unknown, idOf: (id: string) => string): WireBlock | undefined {
  if (!isJsonObject(block)) return undefined
  switch (block.type) {
    case "text":
      return isFilled(block.text) ? (block as unknown as TextContent) : undefined
    case "image": {
      const readable = readableImage(block)
      return typeof readable === "string" ? { type: "text", text: imageNote(readable) } : { ...block, ...readable }
    }
    case "thinking":
      return wireThinking(block)
    case "redactedThinking":
      // omp has a separate block type for what pi stores as redacted thinking.
      return isFilled(block.data) ? wireThinking({ thinkingSignature: block.data, redacted: true }) : undefined
    case "toolCall": {
      const { id, name, arguments: args } = block
      if (!isFilled(id) || !isFilled(name)) return undefined
      const called = { id: idOf(id), name: wireToolName(name), arguments: isJsonObject(args) ? args : {} }
      return { ...block, type: "toolCall", ...called }
    }
    default: {
      const document = documentIn(block)
      if (!document) return undefined
      const reason = whyNoDocument(document)
      return reason === undefined
        ? { type: "document", ...document, text: document.text ?? decodedText(document), stored: block }
        : { type: "text", text: documentNote(reason) }
    }
  }
}

function wireThinking({ thinking, thinkingSignature, redacted, [UI]: ui }: JsonObject): ThinkingContent {
  return {
    type: "thinking",
    thinking: textIn(thinking),
    ...(isFilled(thinkingSignature) && { thinkingSignature }),
    ...(redacted === true && { redacted }),
    ...(ui !== undefined && { [UI]: ui }),
  }
}

/** The longest tool call id that all providers accept; OpenAI's chat completions have the lowest limit. Characters. */
const LONGEST_ID = 40

/** The longest tool name that all providers accept. Characters. */
const LONGEST_NAME = 64

const FORBIDDEN = /[^a-zA-Z0-9_-]/g

/**
 * Maps tool call ids to ids that every provider accepts: the first part of `call_1|fc_1`, which pi joins from two ids of OpenAI;
 * only letters, digits, `_` and `-`; of limited length; and unique.
 */
export function wireIds(): (id: string) => string {
  const ids = new Map<string, string>()
  const taken = new Set<string>()
  return (id) => {
    const known = ids.get(id)
    if (known !== undefined) return known
    const like = id.replace(/\|.*$/s, "").replace(FORBIDDEN, "_") || "call"
    let free = like.slice(0, LONGEST_ID)
    for (let number = 2; taken.has(free); number++) {
      const suffix = `_${number}`
      free = like.slice(0, LONGEST_ID - suffix.length) + suffix
    }
    ids.set(id, free)
    taken.add(free)
    return free
  }
}

function wireToolName(name: string): string {
  return name.replace(FORBIDDEN, "_").slice(0, LONGEST_NAME)
}
