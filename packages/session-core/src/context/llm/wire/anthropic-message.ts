import type { ImageType } from "../image.js"

/** A message as Anthropic's Messages API takes it. */
export type AnthropicMessage =
  | { role: "user"; content: (AnthropicText | AnthropicImage | AnthropicToolResult)[] }
  | { role: "assistant"; content: (AnthropicText | AnthropicThinking | AnthropicToolUse)[] }

export interface AnthropicText {
  type: "text"
  text: string
}

export interface AnthropicImage {
  type: "image"
  source: { type: "base64"; media_type: ImageType; data: string }
}

export interface AnthropicToolResult {
  type: "tool_result"
  tool_use_id: string
  content: (AnthropicText | AnthropicImage)[]
  is_error?: boolean
}

export type AnthropicThinking =
  | { type: "thinking"; thinking: string; signature: string }
  | { type: "redacted_thinking"; data: string }

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
