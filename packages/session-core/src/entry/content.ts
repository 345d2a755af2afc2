/** A piece of a message. Unknown kinds pass through untouched (FORMAT.md, section 2). */
export type ContentBlock = TextContent | ImageContent | ThinkingContent | ToolCall | UnknownContent

export interface TextContent {
  type: "text"
  text: string
  textSignature?: string
}

export interface ImageContent {
  type: "image"
  /** Base64 of the picture, or a `blob:sha256:<hex>` reference. */
  data: string
  mimeType: string
}

export interface ThinkingContent {
  type: "thinking"
  thinking: string
  thinkingSignature?: string
  redacted?: boolean
}

export interface ToolCall {
  type: "toolCall"
  id: string
  name: string
  arguments: Record<string, unknown>
  thoughtSignature?: string
}

export interface UnknownContent {
  type: string & {}
  [key: string]: unknown
}
