import { type MessagePart, messagePart } from "../../context/message-part.js"
import { isSystemMessage, systemText } from "../../context/system-message.js"
import { documentIn } from "../../entry/document.js"
import { isDeeperThan, parsedJson } from "../../entry/json-text.js"
import type { Message } from "../../entry/message.js"
import { isJsonObject, type JsonObject, valueText } from "../../entry/values.js"
import {
  changedItems,
  documentNote,
  imageNote,
  isFilled,
  isWellFormed,
  readableImage,
  wellFormed,
  wellFormedValue,
  whyNoDocument,
} from "../block-values.js"
import type { Note, RepairOptions } from "./context-change.js"

/** The message with only content that providers accept; the same object if it needs no change; undefined when nothing is left. */
export function repairMessage(message: Message, note: Note, options: RepairOptions): Message | undefined {
  const part = messagePart(message)
  if (part === "none") return message
  const texts = TEXTS[message.role]
  if (texts)
    return withChangedItems(withTexts(message, texts, note), "images", (image) =>
      isImage(image) ? repairBlock(image, "user", note, options) : image,
    )
  if (message.role === "fileMention")
    return withChangedItems(message, "files", (file) => (isJsonObject(file) ? repairFile(file, note, options) : file))
  const repaired = withTexts(withRepairedContent(message, part, note, options), ["toolCallId", "toolName"], note)
  if ("content" in repaired && !isEmpty(repaired.content)) return repaired
  if (isSystemMessage(repaired) && isFilled(systemText(repaired, true))) return repaired
  return withoutContent(repaired, part, note)
}

/** The text fields of the roles that have no `content`. */
const TEXTS: Readonly<Record<string, readonly string[]>> = {
  bashExecution: ["command", "output", "fullOutputPath"],
  pythonExecution: ["code", "output"],
  branchSummary: ["summary"],
  compactionSummary: ["summary"],
}

function withChangedItems(message: Message, name: string, change: (item: unknown) => unknown): Message {
  const items = (message as JsonObject)[name]
  const changed = Array.isArray(items) ? changedItems(items, change) : items
  return changed === items ? message : ({ ...message, [name]: changed } as Message)
}

/** The text that replaces an unreadable image becomes part of the file's content. */
function repairFile(file: JsonObject, note: Note, options: RepairOptions): JsonObject {
  const repaired = withTexts(file, ["path", "content"], note)
  if (!isImage(repaired.image)) return repaired
  const image = repairBlock(repaired.image, "user", note, options)
  if (image === repaired.image) return repaired
  if (isImage(image)) return { ...repaired, image }
  const { image: _, ...rest } = repaired
  const lines = [rest.content, isJsonObject(image) ? image.text : undefined].filter(isFilled)
  return { ...rest, content: lines.join("\n") }
}

function isImage(value: unknown): value is JsonObject {
  return isJsonObject(value) && value.type === "image"
}

function isEmpty(content: unknown): boolean {
  return Array.isArray(content) ? content.length === 0 : !isFilled(content)
}

/** A result stays even if it is empty, because its call needs one. */
function withoutContent(message: Message, part: MessagePart, note: Note): Message | undefined {
  if (part === "result") {
    note("result-noted", "It was empty; its text is now (no output).")
    return { ...message, content: [{ type: "text", text: "(no output)" }] } as Message
  }
  note("turn-removed", `The message of role ${message.role} was empty, so it was removed.`)
  return undefined
}

function withRepairedContent(message: Message, part: MessagePart, note: Note, options: RepairOptions): Message {
  const content: unknown = "content" in message ? message.content : undefined
  if (typeof content === "string" && (part === "user" || part === "system")) {
    return withTexts(message, ["content"], note)
  }
  const blocks = changedItems(blocksOf(content, note), (block) => repairBlock(block, part, note, options))
  const kept = withoutLastThoughts(blocks, note)
  return kept === content ? message : ({ ...message, content: kept } as Message)
}

function blocksOf(content: unknown, note: Note): readonly unknown[] {
  if (Array.isArray(content)) return content
  if (typeof content === "string") {
    note("content-changed", "Its content was a string, and is now a text block.")
    return [{ type: "text", text: content }]
  }
  note("content-changed", "It had no readable content.")
  return []
}

/** Removes thinking at the end of an answer: the answer was cut off, and no provider accepts it back. */
function withoutLastThoughts(blocks: readonly unknown[], note: Note): readonly unknown[] {
  let length = blocks.length
  while (length > 0 && isThinking(blocks[length - 1])) length--
  if (length === blocks.length) return blocks
  note("block-removed", "It ended in thinking, which was removed.")
  return blocks.slice(0, length)
}

/** Arguments nested more deeply are not sent: formatting them could overflow the stack. Levels. */
const MAX_ARGUMENT_DEPTH = 500

/** The block as providers accept it in this role: the same one, a repaired copy, or undefined when it must be removed. */
function repairBlock(found: unknown, part: MessagePart, note: Note, options: RepairOptions): unknown {
  if (!isJsonObject(found)) return removed(note, "a block that is not an object")
  const block = withSoundSignatures(found, note)
  if (block.type === "text")
    return isFilled(block.text) ? withTexts(block, ["text"], note) : removed(note, "an empty text")
  if (block.type === "image") return repairImage(block, part, note, options)
  if (part === "assistant") {
    if (block.type === "thinking") return repairThinking(block, note)
    if (block.type === "redactedThinking" && isFilled(block.data) && isWellFormed(block.data)) return block
    if (block.type === "toolCall") return repairCall(block, note)
  }
  const document = part === "user" || part === "result" ? documentIn(block) : undefined
  if (!document) return removed(note, `a block of type ${valueText(block.type)}`)
  const reason = whyNoDocument(document)
  if (reason === undefined) return wellFormedValue(block)
  note("text-replaced", `A document became a note: ${reason}.`)
  return { type: "text", text: documentNote(reason) }
}

function isThinking(block: unknown): boolean {
  return isJsonObject(block) && (block.type === "thinking" || block.type === "redactedThinking")
}

const SIGNATURES = ["thinkingSignature", "textSignature", "thoughtSignature"]

/** Removes signatures that cannot be sent: they cannot be repaired. */
function withSoundSignatures(block: JsonObject, note: Note): JsonObject {
  const broken = SIGNATURES.filter((name) => !isSound(block[name]))
  if (broken.length === 0) return block
  note("text-replaced", `It had a broken ${broken.join(" and ")}, which was removed.`)
  return Object.fromEntries(Object.entries(block).filter(([name]) => !broken.includes(name)))
}

function isSound(signature: unknown): boolean {
  return signature === undefined || signature === null || (typeof signature === "string" && isWellFormed(signature))
}

function repairImage(block: JsonObject, part: MessagePart, note: Note, { images = true }: RepairOptions): JsonObject {
  const isMisplaced = part !== "user" && part !== "result"
  const misplaced = isMisplaced ? "images can stand only in messages of the user and in results" : undefined
  const readable = images ? (misplaced ?? readableImage(block)) : "the model reads no images"
  if (typeof readable === "string") {
    note("image-noted", `An image became a note: ${readable}.`)
    return { type: "text", text: imageNote(readable) }
  }
  if (readable.data === block.data && readable.mimeType === block.mimeType) return block
  note(
    "content-changed",
    `An image of ${valueText(block.mimeType)} is plain ${readable.mimeType} now, as its bytes are.`,
  )
  return { ...block, ...readable }
}

/** Signed thinking may be empty: providers need only its signature. */
function repairThinking(block: JsonObject, note: Note): JsonObject | undefined {
  const isSigned = isFilled(block.thinkingSignature)
  if (!isSigned && !isFilled(block.thinking)) return removed(note, "empty thinking")
  if (typeof block.thinking !== "string") {
    note("content-changed", "Thinking without text got an empty one.")
    return { ...block, thinking: "" }
  }
  const repaired = withTexts(block, ["thinking"], note)
  if (repaired === block) return block
  // The signature covers the original text.
  const { thinkingSignature: _, ...unsigned } = repaired
  return unsigned
}

function repairCall(block: JsonObject, note: Note): JsonObject | undefined {
  if (!isFilled(block.id)) return removed(note, "a tool call without id")
  if (!isFilled(block.name)) return removed(note, "a tool call without a tool's name")
  const named = withTexts(block, ["id", "name"], note)
  const { arguments: stored } = named
  const args = typeof stored === "string" ? parsedJson(stored) : stored
  if (!isJsonObject(args) || isDeeperThan(args, MAX_ARGUMENT_DEPTH)) {
    const what = isJsonObject(args) ? "nested too deeply" : valueText(args)
    note("arguments-replaced", `The arguments of call ${named.id} were ${what}; it has none now.`)
    return { ...named, arguments: {} }
  }
  if (args !== stored) note("arguments-replaced", `The arguments of call ${named.id} were the JSON of an object.`)
  const formed = wellFormedValue(args)
  if (formed === args) return args === stored ? named : { ...named, arguments: args }
  note("text-replaced", `Lone surrogates in the arguments of call ${named.id} were replaced.`)
  return { ...named, arguments: formed }
}

/** The object with well-formed texts; the same object if they are well-formed. */
function withTexts<Fields extends object>(value: Fields, names: readonly string[], note: Note): Fields {
  let result = value as Fields & JsonObject
  for (const name of names) {
    const text = result[name]
    if (typeof text !== "string" || wellFormed(text) === text) continue
    result = { ...result, [name]: wellFormed(text) }
    note("text-replaced", `Lone surrogates in ${name} were replaced.`)
  }
  return result
}

function removed(note: Note, what: string): undefined {
  note("block-removed", `It held ${what}, which was removed.`)
  return undefined
}
