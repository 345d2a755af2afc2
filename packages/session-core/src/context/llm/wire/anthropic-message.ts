import type { ImageType } from "../image.js"

/** A message of Anthropic's Messages API. */
export type AnthropicMessage =
  | { role: "user"; content: (AnthropicText | AnthropicImage | AnthropicToolResult)[] }
  | { role: "assistant"; content: (AnthropicText | AnthropicThinking | AnthropicToolUse)[] }

/** A text block of Anthropic's Messages API. */
export interface AnthropicText {
  type: "text"
  text: string
}

/** An image block of Anthropic's Messages API, as base64. */
export interface AnthropicImage {
  type: "image"
  source: { type: "base64"; media_type: ImageType; data: string }
}

/** A tool result block of Anthropic's Messages API. */
export interface AnthropicToolResult {
  type: "tool_result"
  tool_use_id: string
  content: (AnthropicText | AnthropicImage)[]
  is_error?: boolean
}

/** A thinking block of Anthropic's Messages API, signed or encrypted. */
export type AnthropicThinking =
  | { type: "thinking"; thinking: string; signature: string }
  | { type: "redacted_thinking"; data: string }

/** A tool call block of Anthropic's Messages API. */
export interface AnthropicToolUse {
  type: "tool_use"
  id: string
  name: string
  input: Record<string, unknown>
}

/** The part of a request that holds the conversation: `{ ...toAnthropicMessages(messages), model, max_tokens }`. */
export interface AnthropicMessages {
  system?: string
  messages: AnthropicMessage[]
}
