import { documentIn, type FoundDocument } from "../entry/document.js"
import { jsonText } from "../entry/json-text.js"
import type { Message } from "../entry/message.js"
import { contentText, isJsonObject, type JsonObject, objectsIn, textStart } from "../entry/values.js"
import { convertToLlm, type LlmMessage } from "../messages/convert-to-llm.js"
import { Draft, holdsImage, spotsIn } from "../persist/spots.js"

const TOOL_RESULT_LIMIT = 2_000
const IMAGE = "[image]"

/**
 * A conversation as plain text, so that a model reads it instead of continuing it (FORMAT.md, section 9). Tool results are
 * truncated to 2,000 UTF-16 units, images are only mentioned, and system messages and those that models never get are left out.
 */
export function serializeConversation(messages: readonly Message[]): string {
  return convertToLlm(messages).messages.flatMap(parts).join("\n\n")
}

function parts({ role, content }: LlmMessage): string[] {
  // A compaction carries the instructions on.
  if (role === "system") return []
  const said = saidText(content)
  if (role !== "assistant") return part(NAMES[role], role === "toolResult" ? cut(said) : said)
  const blocks = objectsIn(content)
  const thoughts = blocks.flatMap(({ type, thinking }) => (type === "thinking" ? textIn(thinking) : []))
  const calls = blocks.flatMap((block) => (block.type === "toolCall" ? callText(block) : []))
  return [
    ...part("Assistant thinking", thoughts.join("\n")),
    ...part("Assistant", said),
    ...part("Assistant tool calls", calls.join("; ")),
  ]
}

const NAMES = { user: "User", toolResult: "Tool result", developer: "Developer" }

function callText({ name, arguments: args }: JsonObject): string {
  const fields = isJsonObject(args) ? Object.entries(withoutImages(args)) : []
  return `${textIn(name).join("")}(${fields.map(([key, value]) => `${key}=${jsonText(value)}`).join(", ")})`
}

/** Replaces images, and references to images, by a note. */
function withoutImages(args: JsonObject): JsonObject {
  const draft = new Draft(args)
  for (const { spot } of spotsIn(args)) if (holdsImage(spot)) draft.set(spot, IMAGE)
  return draft.result()
}

function part(who: string, text: string): string[] {
  return text === "" ? [] : [`[${who}]: ${text}`]
}

function saidText(content: unknown): string {
  const blocks = objectsIn(content)
  const documents = blocks.flatMap((block) => documentIn(block) ?? [])
  const images = blocks.filter(({ type }) => type === "image").map(() => IMAGE)
  return [contentText(content), ...documents.map(documentNote), ...images].filter((text) => text !== "").join("\n")
}

function documentNote({ name, text }: FoundDocument): string {
  return [name === undefined ? "[document]" : `[document ${name}]`, ...(text === undefined ? [] : [text])].join("\n")
}

function textIn(value: unknown): string[] {
  return typeof value === "string" && value !== "" ? [value] : []
}

function cut(text: string): string {
  if (text.length <= TOOL_RESULT_LIMIT) return text
  const start = textStart(text, TOOL_RESULT_LIMIT)
  return `${start}\n\n[${text.length - start.length} more characters were left out]`
}
