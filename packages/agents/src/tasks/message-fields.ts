import type { ContentBlock, Usage } from "@treelog/session-core"
import { callArguments, countIn, type Json, objectIn, objectsIn, textIn, usageFields, without } from "../kit.js"

/** The blocks of a message, as it is stored. */
export function recordBlocks(content: unknown): Json[] {
  return typeof content === "string" ? [{ type: "text", text: content }] : objectsIn(content)
}

/** What a block becomes. */
export function contentBlocks(block: Json): ContentBlock[] {
  const text = typeof block.text === "string" ? block.text : ""
  const source = objectIn(block, "source")
  switch (block.type) {
    case "text":
      return text === "" ? [] : [{ type: "text", text }]
    case "thinking": {
      const signature = typeof block.signature === "string" && { thinkingSignature: block.signature }
      // What other providers gave with it, which each Cline names otherwise.
      const more = without(block, ["type", "thinking", "signature"])
      return [{ type: "thinking", thinking: String(block.thinking ?? ""), ...signature, ...more }]
    }
    case "redacted_thinking":
      return [{ type: "thinking", thinking: "", redacted: true, thinkingSignature: String(block.data) }]
    case "reasoning":
      return reasoningBlocks(block)
    case "thoughtSignature":
      return []
    case "tool_use": {
      const called = { id: String(block.id), name: String(block.name), arguments: callArguments(block.input) }
      const signature = textIn(block, "signature")
      return [{ type: "toolCall", ...called, ...(signature !== undefined && { thoughtSignature: signature }) }]
    }
    case "image":
      if (source?.type === "base64")
        return [{ type: "image", data: String(source.data), mimeType: String(source.media_type) }]
      return typeof block.data === "string"
        ? [{ type: "image", data: block.data, mimeType: String(block.mediaType) }]
        : []
    case "file":
      return [{ type: "text", text: `<file_content path="${block.path}">\n${block.content}\n</file_content>` }]
    default:
      return [block as unknown as ContentBlock]
  }
}

/** Reasoning as text, or as an item of OpenAI's API, which is kept as JSON. None where it has neither. */
export function reasoningBlocks({ text, summary, encrypted_content, id }: Json): ContentBlock[] {
  const summaries = objectsIn(summary)
  const thinking = typeof text === "string" ? text : summaries.map((one) => one.text).join("\n")
  if (typeof encrypted_content !== "string") return thinking === "" ? [] : [{ type: "thinking", thinking }]
  const item = { type: "reasoning", ...(id !== undefined && { id }), summary: summaries, encrypted_content }
  return [{ type: "thinking", thinking, thinkingSignature: JSON.stringify(item) }]
}

/** A signature of Gemini's stands in a block of its own: it is that of the first call, else of the text. */
export function signed(content: ContentBlock[], blocks: readonly Json[]): ContentBlock[] {
  const signature = blocks.map((block) => textIn(block, "thoughtSignature")).find((one) => one !== undefined)
  const call = content.find(({ type }) => type === "toolCall") ?? content.filter(({ type }) => type === "text").at(-1)
  if (signature === undefined || !call) return content
  const named = call.type === "toolCall" ? { thoughtSignature: signature } : { textSignature: signature }
  return content.map((block) => (block === call ? { ...block, ...named } : block))
}

/** Tags in what the user typed that Cline 3 does not send. */
const UNSENT_TAGS = ["user_input", "user_command"] as const

/** The text with what stands in a tag, or without its opening where it is not closed. */
function withoutTag(text: string, tag: string): string {
  if (!text.includes(`<${tag}`)) return text
  const opened = text.replace(new RegExp(`<${tag}\\b[^>]*>([\\s\\S]*?)</${tag}>`, "g"), "$1")
  return (opened === text ? text.replace(new RegExp(`<${tag}[^>]*>`, "g"), "") : opened).trim()
}

/** The blocks of what the user said. */
export function promptBlocks(block: Json): ContentBlock[] {
  const { type, text } = block
  if (type !== "text" || typeof text !== "string") return contentBlocks(block)
  return contentBlocks({ type, text: UNSENT_TAGS.reduce(withoutTag, text) })
}

/** The texts of a content; undefined where it has none. */
export function contentText(content: unknown): string | undefined {
  const texts = recordBlocks(content)
    .flatMap(promptBlocks)
    .flatMap((block) => ("text" in block ? [String(block.text)] : []))
  return texts.length > 0 ? texts.join("\n") : undefined
}

/** The id and the time of a message. */
export function entryPlace({ id, ts }: Json, fallback: string): { id: string; time: number | undefined } {
  const time = typeof ts === "number" ? ts : undefined
  return { id: String(id ?? ts ?? fallback), time }
}

/** What a reply used. The input has what the cache has; tasks name the counts otherwise. */
export function metricsUsage(metrics: Json): Usage {
  const tokens = objectIn(metrics, "tokens") ?? {}
  const count = (name: string, inTask: string): number => countIn(metrics, name) || countIn(tokens, inTask)
  const cacheRead = count("cacheReadTokens", "cached")
  const cacheWrite = countIn(metrics, "cacheWriteTokens")
  const input = Math.max(0, count("inputTokens", "prompt") - cacheRead - cacheWrite)
  const output = count("outputTokens", "completion")
  return usageFields({ input, output, cacheRead, cacheWrite, cost: countIn(metrics, "cost") })
}
