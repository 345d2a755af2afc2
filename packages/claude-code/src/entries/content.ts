import type { ContentBlock } from "@treelog/session-core"
import { isObject, type Json, objectIn, objectsIn, textIn } from "@treelog-internal/agent-files"

/** A user's content: a text stays one. */
export function userContent(content: unknown): string | ContentBlock[] {
  return typeof content === "string" ? content : objectsIn(content).map(blockOf)
}

/** The content of a result: blocks, none where it is empty. */
export function resultContent(content: unknown): ContentBlock[] {
  if (typeof content === "string") return content === "" ? [] : [{ type: "text", text: content }]
  return objectsIn(content).map(blockOf)
}

/** A block in the form of the format; one that it has no form for is kept. */
export function blockOf(block: Json): ContentBlock {
  switch (block.type) {
    case "thinking":
      return typeof block.thinking === "string"
        ? thinkingOf(block.thinking, textIn(block, "signature"))
        : unknown(block)
    case "redacted_thinking":
      return { type: "thinking", thinking: "", thinkingSignature: textIn(block, "data") ?? "", redacted: true }
    case "tool_use":
      return typeof block.id === "string" ? callOf(block.id, block) : unknown(block)
    case "image":
      return imageOf(block) ?? unknown(block)
    default:
      return unknown(block)
  }
}

function unknown(block: Json): ContentBlock {
  return { ...block, type: typeof block.type === "string" ? block.type : "unknown" }
}

function thinkingOf(thinking: string, thinkingSignature: string | undefined): ContentBlock {
  return { type: "thinking", thinking, ...(thinkingSignature !== undefined && { thinkingSignature }) }
}

function callOf(id: string, block: Json): ContentBlock {
  return { type: "toolCall", id, name: textIn(block, "name") ?? "", arguments: objectIn(block, "input") ?? {} }
}

function imageOf({ source }: Json): ContentBlock | undefined {
  if (!isObject(source) || source.type !== "base64") return undefined
  const { data, media_type: mimeType } = source
  return typeof data === "string" && typeof mimeType === "string" ? { type: "image", data, mimeType } : undefined
}
