/** A piece of a message. Unknown kinds pass through untouched (FORMAT.md, section 2). */
export type ContentBlock = TextContent | ImageContent | ThinkingContent | ToolCall | UnknownContent

/** A text. */
export interface TextContent {
  type: "text"
  text: string
  textSignature?: string
}

/** A picture. */
export interface ImageContent {
  type: "image"
  /** Base64 of the picture, or a `blob:sha256:<hex>` reference. */
  data: string
  mimeType: string
}

/** What a model thought, with the signature that its provider wants back. */
export interface ThinkingContent {
  type: "thinking"
  thinking: string
  thinkingSignature?: string
  redacted?: boolean
}

/** A call of a tool. */
export interface ToolCall {
  type: "toolCall"
  id: string
  name: string
  arguments: Record<string, unknown>
  thoughtSignature?: string
}

/** A piece of a kind that this library does not know. */
export interface UnknownContent {
  type: string & {}
  [key: string]: unknown
}
