import type { ContentBlock } from "../../entry/content.js"
import type { AssistantMessage, ToolResultMessage, UserMessage } from "../../entry/message.js"

/** Instructions, at the beginning of a conversation or in it. */
export interface SystemMessage {
  role: "system" | "developer"
  content: string | ContentBlock[]
  [key: string]: unknown
}

/** A message of a role that models know. In histories of the wild its content can still be null or missing. */
export type LlmMessage = SystemMessage | UserMessage | AssistantMessage | ToolResultMessage
