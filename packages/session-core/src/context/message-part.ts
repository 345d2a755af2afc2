import type { Message, ToolCall } from "../entry/message.js"
import { isJsonObject, type JsonObject, objectsIn } from "../entry/values.js"

/** The role of a message for a model; `none` for messages that it never gets. */
export type MessagePart = "system" | "user" | "assistant" | "result" | "none"

/** The role that a message has after `convertToLlm`. */
export function messagePart(message: Message): MessagePart {
  return isExcluded(message) ? "none" : rolePart(message.role)
}

/** `messagePart` of any message of a role, whether or not the user excluded it. */
export function rolePart(role: string): MessagePart {
  return PARTS.get(role) ?? (WITHOUT_CONTENT.has(role) ? "user" : "none")
}

/** Whether the messages of a role have `content`, a text or blocks. */
export function hasContent(role: string): boolean {
  return PARTS.has(role)
}

/** The tool calls of an answer; none for any other value. */
export function toolCalls(message: unknown): ToolCall[] {
  if (!isJsonObject(message) || message.role !== "assistant" || !Array.isArray(message.content)) return []
  return message.content.filter((block) => isJsonObject(block) && block.type === "toolCall")
}

/** The files of a message that can be read. */
export function mentionedFiles(message: object): JsonObject[] {
  return objectsIn("files" in message ? message.files : undefined)
}

/** Whether the message is a command that the user excluded from the context. */
export function isExcluded(message: Message): boolean {
  const isRun = message.role === "bashExecution" || message.role === "pythonExecution"
  return isRun && "excludeFromContext" in message && Boolean(message.excludeFromContext)
}

const PARTS: ReadonlyMap<string, MessagePart> = /* @__PURE__ */ new Map<string, MessagePart>([
  ["system", "system"],
  ["developer", "system"],
  ["user", "user"],
  ["custom", "user"],
  ["hookMessage", "user"],
  ["assistant", "assistant"],
  ["toolResult", "result"],
])

const WITHOUT_CONTENT: ReadonlySet<string> = /* @__PURE__ */ new Set([
  "bashExecution",
  "pythonExecution",
  "fileMention",
  "branchSummary",
  "compactionSummary",
])
