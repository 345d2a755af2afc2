import { documentIn } from "../entry/document.js"
import type { SessionEntry } from "../entry/entry.js"
import { jsonText } from "../entry/json-text.js"
import type { Message, Usage } from "../entry/message.js"
import { totalOf } from "../entry/usage.js"
import { isJsonObject, type JsonObject, valueText } from "../entry/values.js"
import { contextBoundary } from "./boundary.js"
import { contextOf } from "./build-context.js"
import { type EntryPath, pathOfEntries } from "./entry-path.js"
import { hasContent, mentionedFiles } from "./message-part.js"

/** The size of a context, in tokens. */
export interface ContextTokens {
  readonly tokens: number
  /** Tokens that the provider reported with the last successful answer; 0 when there is none. */
  readonly usageTokens: number
  /** Estimated tokens of the messages after that answer; of all messages when there is none. */
  readonly trailingTokens: number
  /** Index of that answer among the messages; null when there is none. */
  readonly lastUsageIndex: number | null
}

/** The size of a list of messages: the usage of the last good answer, plus an estimate of what follows (FORMAT.md, section 9). */
export function estimateContextTokens(messages: readonly Message[]): ContextTokens {
  return tokensFrom(messages, 0)
}

/**
 * The size of the context at the end of a path (root first). Unlike `estimateContextTokens`, it ignores the usage of answers from
 * before the last compaction, which measured a context that no longer exists.
 */
export function sessionContextTokens(path: readonly SessionEntry[]): ContextTokens {
  return pathContextTokens(pathOfEntries(path))
}

/** `sessionContextTokens` of an `EntryPath`; reads only the entries that the model sees. */
export function pathContextTokens(path: EntryPath): ContextTokens {
  const { messages, entries } = contextOf(path)
  const { compaction, rest } = contextBoundary(path)
  if (!compaction) return tokensFrom(messages, 0)
  const since = new Set(Array.from({ length: path.length - rest }, (_, index) => path.id(rest + index)))
  const first = entries.findIndex((id) => since.has(id))
  return tokensFrom(messages, first < 0 ? messages.length : first)
}

/** @param from index of the first message whose reported usage counts */
function tokensFrom(messages: readonly Message[], from: number): ContextTokens {
  let trailingTokens = 0
  for (let index = messages.length - 1; index >= 0; index--) {
    const message = messages[index] as Message
    const usageTokens = index < from ? undefined : measuredTokens(message)
    if (usageTokens !== undefined)
      return { tokens: usageTokens + trailingTokens, usageTokens, trailingTokens, lastUsageIndex: index }
    trailingTokens += estimateTokens(message)
  }
  return { tokens: trailingTokens, usageTokens: 0, trailingTokens, lastUsageIndex: null }
}

/** The tokens that a provider reported with an answer that neither failed nor was aborted. */
function measuredTokens(message: Message): number | undefined {
  if (!isJsonObject(message) || message.role !== "assistant" || !isJsonObject(message.usage)) return undefined
  if (message.stopReason === "aborted" || message.stopReason === "error") return undefined
  // Imported replies whose agent reported nothing have zeros.
  return totalOf(message.usage) || undefined
}

const CHARS_PER_TOKEN = 4
const CHARS_PER_IMAGE = 4_800

/**
 * About how many tokens a message takes: UTF-16 units / 4, rounded up (FORMAT.md, section 9). Counted are text, thinking, the
 * names and arguments of tools, commands and code with their output, files with their paths, summaries, and the sections and tools of a
 * system message; an image and a
 * document that is not text as 4,800. Roles that models never get count as 0. Messages with missing fields are allowed.
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
    case "system":
      return contentChars(message.content) + sectionChars(message) + textChars(jsonText(message.toolsAdded))
    default:
      return hasContent(valueText(message.role)) ? contentChars(message.content) : 0
  }
}

function sectionChars({ sections }: JsonObject): number {
  return Object.values(isJsonObject(sections) ? sections : {}).reduce(
    (chars: number, text) => chars + textChars(text),
    0,
  )
}

function fileChars({ path, content, image }: JsonObject): number {
  return textChars(path) + textChars(content) + contentChars([image])
}

function contentChars(content: unknown): number {
  if (!Array.isArray(content)) return textChars(content)
  return content.reduce((chars: number, block: unknown) => chars + (isJsonObject(block) ? blockChars(block) : 0), 0)
}

function blockChars(block: JsonObject): number {
  const { type, text, thinking, name, arguments: args } = block
  const document = documentIn(block)
  if (type === "image" || (document && document.text === undefined)) return CHARS_PER_IMAGE
  if (document) return textChars(document.text)
  if (type === "toolCall") return textChars(name) + textChars(jsonText(args))
  return type === "text" ? textChars(text) : type === "thinking" ? textChars(thinking) : 0
}

function textChars(text: unknown): number {
  return typeof text === "string" ? text.length : 0
}

/** The sum of the usage of two calls. Fields that neither of them reports stay absent. */
export function addUsage(first: Usage | undefined, second: Usage | undefined): Usage | undefined {
  if (!first || !second) return first ?? second
  const sum = sumOf(first as unknown as JsonObject, second as unknown as JsonObject)
  // Where only one reports a total, the sum of the other's parts is used for the other.
  return { ...sum, ...("totalTokens" in sum && { totalTokens: totalOf(first) + totalOf(second) }) } as unknown as Usage
}

/** Field by field: numbers are added, objects summed in turn, of anything else the first is taken. */
function sumOf(first: JsonObject, second: JsonObject): JsonObject {
  const keys = new Set([...Object.keys(first), ...Object.keys(second)])
  return Object.fromEntries([...keys].map((key) => [key, fieldSum(first[key], second[key])]))
}

function fieldSum(first: unknown, second: unknown): unknown {
  if (typeof first === "number" && typeof second === "number") return first + second
  return isJsonObject(first) && isJsonObject(second) ? sumOf(first, second) : (first ?? second)
}
