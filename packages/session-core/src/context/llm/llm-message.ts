import type { ContentBlock } from "../../entry/content.js"
import type { AssistantMessage, ToolResultMessage, UserMessage } from "../../entry/message.js"

/** Instructions for the model, at the start of a conversation or within it. */
export interface SystemMessage {
  role: "system" | "developer"
  content: string | ContentBlock[]
  [key: string]: unknown
}

/** A message of a role that models know. In real sessions its content can still be null or missing. */
export type LlmMessage = SystemMessage | UserMessage | AssistantMessage | ToolResultMessage
