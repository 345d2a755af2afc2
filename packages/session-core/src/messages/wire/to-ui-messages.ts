import { entryMessage } from "../../context/path-messages.js"
import { documentIn } from "../../entry/document.js"
import type { SessionEntry } from "../../entry/entry.js"
import type {
  AssistantMessage,
  TextContent,
  ThinkingContent,
  ToolCall,
  ToolResultMessage,
} from "../../entry/message.js"
import { contentText, isJsonObject, type JsonObject, objectsIn, textIn, valueText } from "../../entry/values.js"
import { convertToLlm, type LlmMessage } from "../convert-to-llm.js"
import { callOptions, reasoningOptions, textOptions } from "./to-model-messages.js"
import { UI, UI_PART, type UIMessage } from "./ui-message.js"

/**
 * Converts the entries of a path, such as `getBranch()`, to `UIMessage`s of the Vercel AI SDK (versions 6 and 7), for display and
 * for `useChat`. Everything between two prompts is one message, as the SDK makes it. What `fromUIMessages` made is converted back
 * to what it was; other messages have the id of their first entry. Compactions and entries without a message give nothing: what a
 * compaction summarized is shown.
 * @typeParam Message your type of messages, with your tools and data parts. What is stored is not checked against it: the SDK's
 * `validateUIMessages` does that.
 */
export function toUIMessages<Message extends { id: string } = UIMessage>(entries: readonly SessionEntry[]): Message[] {
  const messages: UIDraft[] = []
  for (const entry of entries) {
    const message = entryMessage(entry)
    if (!message || ("display" in message && message.display === false)) continue
    for (const said of convertToLlm([message]).messages) addMessage(messages, said, entry.id)
  }
  return messages as unknown[] as Message[]
}

/** Parts are of any type, as they were stored. */
type UIDraft = { id: string; role: UIMessage["role"]; metadata?: unknown; parts: JsonObject[] }

function addMessage(messages: UIDraft[], message: LlmMessage, entryId: string): void {
  const kept = keptIn(message)
  const last = messages.at(-1)
  const open = last?.role === "assistant" && (kept.id === undefined || kept.id === last.id) ? last : undefined
  if (message.role === "toolResult") {
    const answer = open ?? newMessage(messages, "assistant", entryId, {})
    addResult(answer.parts, message)
  } else if (message.role === "assistant") {
    const answer = open ?? newMessage(messages, "assistant", entryId, kept)
    if (kept.isStep !== false) answer.parts.push({ type: "step-start" })
    answer.parts.push(...blocksOf(message.content).map((block) => answerPart(block, message)))
  } else if (open && kept.id !== undefined && isJsonObject(kept.steering)) {
    open.parts.push({ ...kept.steering, parts: blocksOf(message.content).map(saidPart) })
  } else {
    const role = message.role === "user" ? "user" : "system"
    newMessage(messages, role, entryId, kept).parts.push(...blocksOf(message.content).map(saidPart))
  }
}

function newMessage(messages: UIDraft[], role: UIMessage["role"], entryId: string, kept: JsonObject): UIDraft {
  const { id = entryId, metadata } = kept
  const message = { id: valueText(id), role, ...(metadata !== undefined && { metadata }), parts: [] }
  messages.push(message)
  return message
}

function blocksOf(content: unknown): JsonObject[] {
  if (typeof content === "string") return [{ type: "text", text: content }]
  return objectsIn(content)
}

/** What the format has no place for. */
function keptIn(holder: unknown): JsonObject {
  const kept = isJsonObject(holder) ? holder[UI] : undefined
  return isJsonObject(kept) ? kept : {}
}

function answerPart(block: JsonObject, message: AssistantMessage): JsonObject {
  const { id: toolCallId, name, arguments: input, thinking } = block
  switch (block.type) {
    case "thinking": {
      const said = saidOf("providerMetadata", reasoningOptions(block as unknown as ThinkingContent, message))
      return { type: "reasoning", text: textIn(thinking), ...said, ...keptIn(block) }
    }
    case "toolCall":
      return {
        ...{ type: `tool-${name}`, toolCallId, state: "input-available", input },
        ...saidOf("callProviderMetadata", callOptions(block as unknown as ToolCall)),
        ...keptIn(block),
      }
    case "text":
      return {
        ...{ type: "text", text: contentText([block]) },
        ...saidOf("providerMetadata", textOptions(block as unknown as TextContent, message)),
        ...keptIn(block),
      }
    default:
      return saidPart(block)
  }
}

/** What a provider said of a part, in the field that the part has for it. */
function saidOf(field: string, { providerOptions }: ReturnType<typeof reasoningOptions>): JsonObject {
  return providerOptions ? { [field]: providerOptions } : {}
}

/** A part of a user's message, or one that both have. Blocks of types that the SDK lacks are shown by their type. */
function saidPart(block: JsonObject): JsonObject {
  const { type, data, mimeType: mediaType } = block
  if (type === "text") return { type, text: contentText([block]), ...keptIn(block) }
  if (type === "image") return { type: "file", mediaType, url: `data:${mediaType};base64,${data}`, ...keptIn(block) }
  if (type === UI_PART && isJsonObject(block.part)) return block.part
  const { name, text, mimeType = "application/pdf", data: file, url } = documentIn(block) ?? {}
  if (text !== undefined) return { type: "text", text }
  if (file === undefined && url === undefined) return { type: "text", text: `[${valueText(type)}]` }
  const named = name !== undefined && { filename: name }
  return { type: "file", mediaType: mimeType, ...named, url: url ?? `data:${mimeType};base64,${file}` }
}

/** Completes the call that a result belongs to. A result without its call becomes a part of its own. */
function addResult(parts: JsonObject[], message: ToolResultMessage): void {
  const { toolCallId, toolName } = message
  const isCall = (part: JsonObject): boolean => part.toolCallId === toolCallId && part.state === "input-available"
  const part = parts.find(isCall)
  if (part) Object.assign(part, resultFields(message))
  else parts.push({ type: `tool-${toolName}`, toolCallId, input: {}, ...resultFields(message) })
}

function resultFields(message: ToolResultMessage): JsonObject {
  const { isError, content, details } = message
  const kept = keptIn(details)
  if (kept.state !== undefined) return { state: kept.state }
  const text = contentText(content)
  if (isError === true) return { state: "output-error", errorText: text, ...kept }
  const isText = blocksOf(content).every(({ type }) => type === "text")
  return { state: "output-available", output: isText ? text : content, ...kept }
}
