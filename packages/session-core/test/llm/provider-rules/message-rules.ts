import { contentText, convertToLlm, type LlmMessage, type Message } from "@treelog/session-core"
import { isBlank, textFaults } from "./text-rules.js"

/** Rules that hold whoever translates the messages: what the strictest of the three providers asks of their order. */
export function messageFaults(messages: readonly Message[]): string[] {
  const llm = convertToLlm(messages).messages
  const conversation = llm.slice(Math.max(0, llm.findIndex(({ role }) => role !== "system" && role !== "developer")))
  const faults: string[] = []
  if (conversation[0]?.role === "assistant") faults.push("an answer is first")
  const seen = new Set<string>()
  let open: string[] = []
  let before: LlmMessage | undefined
  for (const message of conversation) {
    faults.push(...contentFaults(message))
    if (message.role === "toolResult") {
      if (!open.includes(message.toolCallId)) faults.push(`a result of ${message.toolCallId}, which nobody awaits`)
      open = open.filter((id) => id !== message.toolCallId)
    } else {
      if (open.length > 0) faults.push(`no results of ${open}`)
      open = callsIn(message)
      faults.push(...open.filter((id) => seen.has(id)).map((id) => `the id ${id} twice`))
      for (const id of open) seen.add(id)
      if (message.role === "assistant" && before?.role === "assistant") faults.push("two answers side by side")
    }
    before = message
  }
  return open.length > 0 ? [...faults, `no results of ${open}`] : faults
}

function callsIn(message: LlmMessage): string[] {
  if (message.role !== "assistant") return []
  return message.content.flatMap((block) => (block.type === "toolCall" ? [String(block.id)] : []))
}

function contentFaults(message: LlmMessage): string[] {
  const { role, content } = message
  const faults = textFaults(content)
  if (typeof content === "string") {
    if (isBlank(content)) faults.push(`${role}: blank`)
    return role === "assistant" || role === "toolResult" ? [...faults, `${role}: content is a text`] : faults
  }
  if (!Array.isArray(content) || content.length === 0) return [...faults, `${role}: no content`]
  for (const block of content) {
    if (block.type === "text" && isBlank(contentText([block]))) faults.push(`${role}: a blank text`)
    if (!BLOCKS[role]?.includes(block.type)) faults.push(`${role}: a block of type ${block.type}`)
    if (block.type === "image" && !/^[A-Za-z0-9+/]+=*$/.test(String(block.data))) faults.push(`${role}: no base64`)
  }
  const last = content.at(-1)?.type
  return last === "thinking" || last === "redactedThinking" ? [...faults, "an answer ends in thinking"] : faults
}

const BLOCKS: Record<string, readonly string[]> = {
  user: ["text", "image"],
  toolResult: ["text", "image"],
  assistant: ["text", "thinking", "redactedThinking", "toolCall"],
  system: ["text"],
  developer: ["text"],
}
