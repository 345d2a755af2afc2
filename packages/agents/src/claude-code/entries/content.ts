import type { ContentBlock } from "@treelog/session-core"
import { callArguments, isObject, type Json, objectsIn, textIn } from "@treelog-internal/agent-files"

/** A user's content: a text stays one. */
export function userContent(content: unknown): string | ContentBlock[] {
  return typeof content === "string" ? content : objectsIn(content).map(blockOf)
}

/** The content of a reply or a result: blocks, none where it is empty. */
export function blocksOf(content: unknown): ContentBlock[] {
  if (typeof content === "string") return content === "" ? [] : [{ type: "text", text: content }]
  return objectsIn(content).map(blockOf)
}

/** A block in the form of the format; one that it has no form for is kept. */
export function blockOf(block: Json): ContentBlock {
  const { type, id, thinking } = block
  if (type === "thinking" && typeof thinking === "string") {
    const thinkingSignature = textIn(block, "signature")
    return { type, thinking, ...(thinkingSignature !== undefined && { thinkingSignature }) }
  }
  if (type === "redacted_thinking")
    return { type: "thinking", thinking: "", thinkingSignature: textIn(block, "data") ?? "", redacted: true }
  if (type === "tool_use" && typeof id === "string")
    return { type: "toolCall", id, name: textIn(block, "name") ?? "", arguments: callArguments(block.input) }
  const image = type === "image" ? imageOf(block) : undefined
  return image ?? { ...block, type: typeof type === "string" ? type : "unknown" }
}

function imageOf({ source }: Json): ContentBlock | undefined {
  if (!isObject(source) || source.type !== "base64") return undefined
  const { data, media_type: mimeType } = source
  return typeof data === "string" && typeof mimeType === "string" ? { type: "image", data, mimeType } : undefined
}
