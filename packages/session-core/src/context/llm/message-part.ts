import type { Message } from "../../entry/message.js"

/** What a message is to a model; `none` for what it never gets. */
export type MessagePart = "system" | "user" | "assistant" | "result" | "none"

/** The part that a message plays once `convertToLlm` has seen it. */
export function messagePart(message: Message): MessagePart {
  if (message.role === "bashExecution" && "excludeFromContext" in message && message.excludeFromContext) return "none"
  return PARTS.get(message.role) ?? "none"
}

const PARTS: ReadonlyMap<string, MessagePart> = /* @__PURE__ */ new Map<string, MessagePart>([
  ["system", "system"],
  ["developer", "system"],
  ["user", "user"],
  ["bashExecution", "user"],
  ["custom", "user"],
  ["branchSummary", "user"],
  ["compactionSummary", "user"],
  ["assistant", "assistant"],
  ["toolResult", "result"],
])
