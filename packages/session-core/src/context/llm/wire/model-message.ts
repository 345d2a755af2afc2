/** What a provider wants back with a part, by the AI SDK's name of the provider. */
export type ModelProviderOptions = Record<string, Record<string, string>>

/** A text. */
export interface ModelText {
  type: "text"
  text: string
}

/** A picture. */
export interface ModelImage {
  type: "image"
  /** Base64. */
  image: string
  mediaType: string
}

/** Thinking, with what its provider needs to know it again. */
export interface ModelReasoning {
  type: "reasoning"
  text: string
  providerOptions?: ModelProviderOptions
}

/** A call of a tool. */
export interface ModelToolCall {
  type: "tool-call"
  toolCallId: string
  toolName: string
  input: Record<string, unknown>
  providerOptions?: ModelProviderOptions
}

/** What a tool answered. */
export interface ModelToolResult {
  type: "tool-result"
  toolCallId: string
  toolName: string
  output:
    | { type: "text" | "error-text"; value: string }
    | { type: "content"; value: (ModelText | { type: "image-data"; data: string; mediaType: string })[] }
}

/** A `ModelMessage` of the Vercel AI SDK, versions 6 and 7. */
export type ModelMessage =
  | { role: "system"; content: string }
  | { role: "user"; content: (ModelText | ModelImage)[] }
  | { role: "assistant"; content: (ModelText | ModelReasoning | ModelToolCall)[] }
  | { role: "tool"; content: ModelToolResult[] }
