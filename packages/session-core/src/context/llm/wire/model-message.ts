/** Data that a provider needs back with a part, keyed by the AI SDK's name of the provider. */
export type ModelProviderOptions = Record<string, Record<string, string>>

/** A text part of the AI SDK. */
export interface ModelText {
  type: "text"
  text: string
}

/** An image part of the AI SDK. */
export interface ModelImage {
  type: "image"
  /** Base64. */
  image: string
  mediaType: string
}

/** A reasoning part of the AI SDK, with the data by which its provider recognizes it. */
export interface ModelReasoning {
  type: "reasoning"
  text: string
  providerOptions?: ModelProviderOptions
}

/** A tool call part of the AI SDK. */
export interface ModelToolCall {
  type: "tool-call"
  toolCallId: string
  toolName: string
  input: Record<string, unknown>
  providerOptions?: ModelProviderOptions
}

/** A tool result part of the AI SDK. */
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
