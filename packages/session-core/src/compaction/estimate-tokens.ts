import { mentionedFiles } from "../context/llm/file-mention.js"
import { hasContent } from "../context/llm/message-part.js"
import { isJsonObject, type JsonObject } from "../entry/json-object.js"
import { jsonText } from "../entry/json-text.js"
import type { Message } from "../entry/message.js"

const CHARS_PER_TOKEN = 4
const CHARS_PER_IMAGE = 4_800

/**
 * About how many tokens a message takes: UTF-16 units / 4, rounded up (FORMAT.md, section 9). Counted are text, thinking, the
 * names and arguments of tools, commands and code with their output, files with their paths and summaries; an image as
 * 4,800. Roles that models never get count as 0. Messages with missing fields are allowed.
 */
export function estimateTokens(message: Message): number {
  return Math.ceil(charsOf(message as JsonObject) / CHARS_PER_TOKEN)
}

function charsOf(message: JsonObject): number {
  switch (message.role) {
    case "bashExecution":
      return textChars(message.command) + textChars(message.output) + contentChars(message.images)
    case "pythonExecution":
      return textChars(message.code) + textChars(message.output)
    case "fileMention":
      return mentionedFiles(message).reduce((chars, file) => chars + fileChars(file), 0)
    case "branchSummary":
    case "compactionSummary":
      return textChars(message.summary)
    default:
      return hasContent(String(message.role)) ? contentChars(message.content) : 0
  }
}

function fileChars({ path, content, image }: JsonObject): number {
  return textChars(path) + textChars(content) + contentChars([image])
}

function contentChars(content: unknown): number {
  if (!Array.isArray(content)) return textChars(content)
  return content.reduce((chars: number, block: unknown) => chars + (isJsonObject(block) ? blockChars(block) : 0), 0)
}

function blockChars({ type, text, thinking, name, arguments: args }: JsonObject): number {
  if (type === "image") return CHARS_PER_IMAGE
  if (type === "toolCall") return textChars(name) + textChars(jsonText(args))
  return type === "text" ? textChars(text) : type === "thinking" ? textChars(thinking) : 0
}

function textChars(text: unknown): number {
  return typeof text === "string" ? text.length : 0
}
