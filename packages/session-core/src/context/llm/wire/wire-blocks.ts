import type { TextContent, ThinkingContent, ToolCall } from "../../../entry/content.js"
import { isJsonObject, type JsonObject } from "../../../entry/json-object.js"
import { imageNote, isReadableImage, type ReadableImage, whyUnreadable } from "../image.js"
import { isFilled } from "../is-filled.js"

export type WireBlock = TextContent | ReadableImage | ThinkingContent | ToolCall

/** The blocks of a message that can be sent; an unreadable image becomes a text. Content may be of any type. */
export function wireBlocks(content: unknown): WireBlock[] {
  if (typeof content === "string") return content.trim() === "" ? [] : [{ type: "text", text: content }]
  if (!Array.isArray(content)) return []
  return content.filter(isJsonObject).flatMap((block) => wireBlock(block) ?? [])
}

function wireBlock(block: JsonObject): WireBlock | undefined {
  switch (block.type) {
    case "text":
      return isFilled(block.text) ? (block as unknown as TextContent) : undefined
    case "image":
      return isReadableImage(block) ? block : { type: "text", text: imageNote(whyUnreadable(block) ?? "") }
    case "thinking":
      return wireThinking(block)
    case "redactedThinking":
      // omp has a separate block type for what pi stores as redacted thinking.
      return isFilled(block.data)
        ? { type: "thinking", thinking: "", thinkingSignature: block.data, redacted: true }
        : undefined
    case "toolCall":
      return isFilled(block.id) && isFilled(block.name) ? wireCall(block, block.id, block.name) : undefined
    default:
      return undefined
  }
}

function wireThinking({ thinking, thinkingSignature, redacted }: JsonObject): ThinkingContent {
  return {
    type: "thinking",
    thinking: typeof thinking === "string" ? thinking : "",
    ...(isFilled(thinkingSignature) && { thinkingSignature }),
    ...(redacted === true && { redacted }),
  }
}

function wireCall(block: JsonObject, id: string, name: string): ToolCall {
  return { ...block, type: "toolCall", id, name, arguments: isJsonObject(block.arguments) ? block.arguments : {} }
}

/** The texts of blocks, joined by line breaks. */
export function wireText(blocks: readonly WireBlock[]): string {
  return blocks.flatMap((block) => (block.type === "text" ? [block.text] : [])).join("\n")
}

export function imagesIn(blocks: readonly WireBlock[]): ReadableImage[] {
  return blocks.filter((block) => block.type === "image")
}

export function dataUrl({ data, mimeType }: ReadableImage): string {
  return `data:${mimeType};base64,${data}`
}

/** The text that is sent for a result without text. */
export function textlessResult(hasImages: boolean): string {
  return hasImages ? "(see the attached image)" : "(no output)"
}
