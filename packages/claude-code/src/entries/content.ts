import type { ContentBlock } from "@treelog/session-core"
import { isJsonObject, type JsonObject, stringOf } from "../json-values.js"
import { blocksOf } from "../source/record-head.js"

/** A user's content: a text stays one. */
export function userContent(content: unknown): string | ContentBlock[] {
  return typeof content === "string" ? content : blocksOf(content).map(blockOf)
}

/** The content of a result: blocks, none where it is empty. */
export function resultContent(content: unknown): ContentBlock[] {
  if (typeof content === "string") return content === "" ? [] : [{ type: "text", text: content }]
  return blocksOf(content).map(blockOf)
}

/** A block in the form of the format; one that it has no form for is kept. */
export function blockOf(block: JsonObject): ContentBlock {
  switch (block.type) {
    case "thinking":
      return typeof block.thinking === "string" ? thinkingOf(block.thinking, block.signature) : unknown(block)
    case "redacted_thinking":
      return { type: "thinking", thinking: "", thinkingSignature: stringOf(block.data) ?? "", redacted: true }
    case "tool_use":
      return typeof block.id === "string" ? callOf(block.id, block) : unknown(block)
    case "image":
      return imageOf(block) ?? unknown(block)
    default:
      return unknown(block)
  }
}

function unknown(block: JsonObject): ContentBlock {
  return { ...block, type: typeof block.type === "string" ? block.type : "unknown" }
}

function thinkingOf(thinking: string, signature: unknown): ContentBlock {
  const thinkingSignature = stringOf(signature)
  return { type: "thinking", thinking, ...(thinkingSignature !== undefined && { thinkingSignature }) }
}

function callOf(id: string, { name, input }: JsonObject): ContentBlock {
  return { type: "toolCall", id, name: stringOf(name) ?? "", arguments: isJsonObject(input) ? input : {} }
}

function imageOf({ source }: JsonObject): ContentBlock | undefined {
  if (!isJsonObject(source) || source.type !== "base64") return undefined
  const { data, media_type: mimeType } = source
  return typeof data === "string" && typeof mimeType === "string" ? { type: "image", data, mimeType } : undefined
}
