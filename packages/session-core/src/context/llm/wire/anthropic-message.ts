import type { ImageType } from "../image.js"

/** A message as Anthropic's Messages API takes it. */
export type AnthropicMessage =
  | { role: "user"; content: (AnthropicText | AnthropicImage | AnthropicToolResult)[] }
  | { role: "assistant"; content: (AnthropicText | AnthropicThinking | AnthropicToolUse)[] }

/** A text. */
export interface AnthropicText {
  type: "text"
  text: string
}

/** A picture, as base64. */
export interface AnthropicImage {
  type: "image"
  source: { type: "base64"; media_type: ImageType; data: string }
}

/** What a tool answered. */
export interface AnthropicToolResult {
  type: "tool_result"
  tool_use_id: string
  content: (AnthropicText | AnthropicImage)[]
  is_error?: boolean
}

/** Thinking, as it was signed or encrypted. */
export type AnthropicThinking =
  | { type: "thinking"; thinking: string; signature: string }
  | { type: "redacted_thinking"; data: string }

/** A call of a tool. */
export interface AnthropicToolUse {
  type: "tool_use"
  id: string
  name: string
  input: Record<string, unknown>
}

/** What a request carries: `{ ...toAnthropicMessages(messages), model, max_tokens }`. */
export interface AnthropicMessages {
  system?: string
  messages: AnthropicMessage[]
}
