import type { ContentBlock } from "@treelog/session-core"
import { callArguments, type Json, objectIn, objectsIn, textIn } from "../kit.js"

/** `orderedBlocks` has thoughts, texts and calls as they came; of others, `blocks` has the thoughts, which came first. */
export function replyBlocks(data: Json, requests: readonly Json[]): ContentBlock[] {
  const reasoning = objectIn(data, "reasoningBlocks") ?? {}
  const calls = new Map(requests.map((request) => [String(request.toolCallId), callBlock(request)]))
  const ordered = objectsIn(reasoning.orderedBlocks).flatMap((block) => {
    if (block.type === "text") return textBlocks(block.text)
    if (block.type !== "tool_use") return thinkingBlocks(block)
    const call = calls.get(String(block.id))
    calls.delete(String(block.id))
    return call ?? []
  })
  const text = ordered.some(({ type }) => type === "text") ? [] : textBlocks(data.content)
  const ran = serverTools(objectIn(data, "serverTools") ?? {})
  if (ordered.length > 0) return [...ordered, ...ran, ...text, ...calls.values()]
  const thoughts = objectsIn(reasoning.blocks).flatMap(thinkingBlocks)
  const thinking = textIn(data, "reasoningText")
  const said: ContentBlock[] =
    thoughts.length > 0 || thinking === undefined ? thoughts : [{ type: "thinking", thinking }]
  return [...said, ...ran, ...text, ...calls.values()]
}

/** What the provider ran by itself, such as a search, among all that it sent. */
function serverTools({ items, rawContentBlocks }: Json): ContentBlock[] {
  const isRun = ({ type }: Json): boolean => /^(?:server_tool_use|.*(?:search_call|_tool_result))$/.test(String(type))
  return [...objectsIn(items), ...objectsIn(rawContentBlocks)].filter(isRun) as unknown as ContentBlock[]
}

/** A thought, the data that stands for one, or an item of OpenAI's. */
function thinkingBlocks(block: Json): ContentBlock[] {
  const { type, thinking, signature, data } = block
  if (type === "reasoning") {
    const summary = objectsIn(block.summary).map((part) => textIn(part, "text") ?? "")
    return [{ type: "thinking", thinking: summary.join("\n"), thinkingSignature: JSON.stringify(block) }]
  }
  if (type === "redacted_thinking" && typeof data === "string")
    return [{ type: "thinking", thinking: "", thinkingSignature: data, redacted: true }]
  if (type !== "thinking") return []
  const signed = typeof signature === "string" && { thinkingSignature: signature }
  return [{ type: "thinking", thinking: String(thinking ?? ""), ...signed }]
}

function textBlocks(text: unknown): ContentBlock[] {
  return typeof text === "string" && text !== "" ? [{ type: "text", text }] : []
}

function callBlock(request: Json): ContentBlock {
  const id = String(request.toolCallId)
  // VS Code writes them as JSON; a tool with a grammar, as `apply_patch` of OpenAI's models, takes a text.
  return { type: "toolCall", id, name: String(request.name), arguments: callArguments(request.arguments) }
}
