import type { AssistantMessage, Message } from "../entry/message.js"

/** The last reply of a model. Those that a client made itself answer no request; undefined where there are no others. */
export function lastReply(messages: readonly Message[]): AssistantMessage | undefined {
  for (let at = messages.length - 1; at >= 0; at--) {
    const message = messages[at]
    if (message?.role === "assistant" && "model" in message && message.model !== SYNTHETIC)
      return message as AssistantMessage
  }
  return undefined
}

/** The model of messages that a client made itself. */
const SYNTHETIC = "<synthetic>"
