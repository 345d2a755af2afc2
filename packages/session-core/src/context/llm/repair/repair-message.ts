import { isJsonObject, type JsonObject } from "../../../entry/json-object.js"
import type { Message } from "../../../entry/message.js"
import { changedItems } from "../changed-items.js"
import { isFilled } from "../is-filled.js"
import { type MessagePart, messagePart } from "../message-part.js"
import type { Note } from "./context-change.js"
import { isThinking, repairBlock, withTexts } from "./repair-block.js"
import type { RepairOptions } from "./repair-options.js"

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
  return "content" in repaired && !isEmpty(repaired.content) ? repaired : withoutContent(repaired, part, note)
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
