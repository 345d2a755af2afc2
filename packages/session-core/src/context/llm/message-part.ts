import type { Message } from "../../entry/message.js"

/** The role of a message for a model; `none` for messages that it never gets. */
export type MessagePart = "system" | "user" | "assistant" | "result" | "none"

/** The role that a message has after `convertToLlm`. */
export function messagePart(message: Message): MessagePart {
  if (isExcluded(message)) return "none"
  return PARTS.get(message.role) ?? "none"
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
  ["bashExecution", "user"],
  ["pythonExecution", "user"],
  ["fileMention", "user"],
  ["custom", "user"],
  ["hookMessage", "user"],
  ["branchSummary", "user"],
  ["compactionSummary", "user"],
  ["assistant", "assistant"],
  ["toolResult", "result"],
])
