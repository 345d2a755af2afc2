/** A message as OpenAI's Chat Completions API takes it. */
export type OpenAIMessage =
  | { role: "system" | "developer"; content: string }
  | { role: "user"; content: string | (OpenAIText | OpenAIImage)[] }
  | { role: "assistant"; content: string | null; tool_calls?: OpenAIToolCall[] }
  | { role: "tool"; tool_call_id: string; content: string }

/** A text. */
export interface OpenAIText {
  type: "text"
  text: string
}

/** A picture, as a data URL. */
export interface OpenAIImage {
  type: "image_url"
  image_url: { url: string }
}

/** A call of a tool. */
export interface OpenAIToolCall {
  id: string
  type: "function"
  /** `arguments` is JSON. */
  function: { name: string; arguments: string }
}
