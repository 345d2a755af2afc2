import type { AnthropicMessage, toAnthropicMessages } from "@treelog/session-core/messages"
import { idFaults, isBlank, isSameSet, nameFaults, textFaults } from "./text-rules.js"

type Block = AnthropicMessage["content"][number]

/** For what Anthropic's Messages API would turn the request down. */
export function anthropicFaults(request: ReturnType<typeof toAnthropicMessages>): string[] {
  const { system, messages } = request
  const faults = textFaults(request)
  if (system !== undefined && isBlank(system)) faults.push("a blank system text")
  if (messages.length > 0 && messages[0]?.role !== "user") faults.push("the first message is not the user's")
  const seen = new Set<string>()
  for (const [index, { role, content }] of messages.entries()) {
    const at = (fault: string): string => `messages.${index}: ${fault}`
    const before = messages[index - 1]
    if (before?.role === role) faults.push(at("the same role twice"))
    if (content.length === 0) faults.push(at("no content"))
    faults.push(...content.flatMap((block) => blockFaults(block)).map(at))
    faults.push(...resultFaults(before?.content ?? [], content).map(at))
    for (const { id, name } of content.filter((block) => block.type === "tool_use")) {
      if (seen.has(id)) faults.push(at(`tool_use ids must be unique: ${id}`))
      seen.add(id)
      faults.push(...[...idFaults(id), ...nameFaults(name)].map(at))
    }
    const last = content.at(-1)
    if (role === "assistant" && last && isThought(last)) faults.push(at("the last block is thinking"))
  }
  return [...faults, ...endFaults(messages.at(-1))]
}

function blockFaults(block: Block): string[] {
  if (block.type === "text") return isBlank(block.text) ? ["a text without anything but white space"] : []
  if (block.type === "image" && block.source.type === "base64")
    return /^[A-Za-z0-9+/]+=*$/.test(block.source.data) ? [] : ["an image that is not base64"]
  if (block.type === "thinking") return block.signature === "" ? ["thinking without signature"] : []
  if (block.type === "tool_use") return isObject(block.input) ? [] : ["an input that is no dictionary"]
  if (block.type !== "tool_result") return []
  const empty = block.content.length === 0 && block.is_error ? ["an error without content"] : []
  if (block.is_error && block.content.some(({ type }) => type !== "text")) empty.push("an error with more than texts")
  return [...empty, ...block.content.flatMap(blockFaults)]
}

/** The results of a message: first in it, and one for each call of the message before. */
function resultFaults(before: readonly Block[], content: readonly Block[]): string[] {
  const calls = before.flatMap((block) => (block.type === "tool_use" ? [block.id] : []))
  const results = content.flatMap((block) => (block.type === "tool_result" ? [block.tool_use_id] : []))
  const faults: string[] = []
  if (!isSameSet(calls, results)) faults.push(`calls ${calls} answered by ${results}`)
  if (content.slice(0, results.length).some(({ type }) => type !== "tool_result")) faults.push("results are not first")
  return faults
}

function endFaults(last: AnthropicMessage | undefined): string[] {
  if (last?.role !== "assistant") return []
  if (last.content.some(({ type }) => type === "tool_use")) return ["the last calls have no results"]
  const block = last.content.at(-1)
  return block?.type === "text" && /\s$/.test(block.text) ? ["the last answer ends in white space"] : []
}

function isThought({ type }: Block): boolean {
  return type === "thinking" || type === "redacted_thinking"
}

function isObject(value: unknown): boolean {
  return typeof value === "object" && value !== null && !Array.isArray(value)
}
