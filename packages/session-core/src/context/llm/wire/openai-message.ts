/** A message of OpenAI's Chat Completions API. */
export type OpenAIMessage =
  | { role: "system" | "developer"; content: string }
  | { role: "user"; content: string | (OpenAIText | OpenAIImage)[] }
  | { role: "assistant"; content: string | null; tool_calls?: OpenAIToolCall[] }
  | { role: "tool"; tool_call_id: string; content: string }

/** A text part of OpenAI's Chat Completions API. */
export interface OpenAIText {
  type: "text"
  text: string
}

/** An image part of OpenAI's Chat Completions API, as a data URL. */
export interface OpenAIImage {
  type: "image_url"
  image_url: { url: string }
}

/** A tool call of OpenAI's Chat Completions API. */
export interface OpenAIToolCall {
  id: string
  type: "function"
  /** `arguments` is JSON. */
  function: { name: string; arguments: string }
}
