/** A content block of a message. Unknown types are kept unchanged (FORMAT.md, section 2). */
export type ContentBlock = TextContent | ImageContent | ThinkingContent | ToolCall | UnknownContent

/** A block of text. */
export interface TextContent {
  type: "text"
  text: string
  textSignature?: string
}

/** An image. */
export interface ImageContent {
  type: "image"
  /** Base64 of the image, or a `blob:sha256:<hex>` reference. */
  data: string
  mimeType: string
}

/** The thinking of a model, with the signature that its provider needs back. */
export interface ThinkingContent {
  type: "thinking"
  thinking: string
  thinkingSignature?: string
  redacted?: boolean
}

/** A tool call of an assistant message. */
export interface ToolCall {
  type: "toolCall"
  id: string
  name: string
  arguments: Record<string, unknown>
  thoughtSignature?: string
}

/** A content block of a type that this library does not know. */
export interface UnknownContent {
  type: string & {}
  [key: string]: unknown
}
