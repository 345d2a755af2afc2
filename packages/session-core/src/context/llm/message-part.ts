import type { Message } from "../../entry/message.js"

/** What a message is to a model; `none` for what it never gets. */
export type MessagePart = "system" | "user" | "assistant" | "result" | "none"

/** The part that a message plays once `convertToLlm` has seen it. */
export function messagePart(message: Message): MessagePart {
  if (isExcluded(message)) return "none"
  return PARTS.get(message.role) ?? "none"
}

/** Whether it is a run that its user keeps from the model. */
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
