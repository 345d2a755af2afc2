import type { Message, ToolCall } from "@treelog/session-core"
import { convertToLlm, type LlmMessage } from "@treelog/session-core/messages"
import { blockFaults } from "./block-rules.js"
import { isBlank, textFaults } from "./text-rules.js"

/** Rules that hold whoever translates the messages: what the strictest of the three providers asks of their order. */
export function messageFaults(messages: readonly Message[]): string[] {
  const llm = convertToLlm(messages).messages
  const faults = messages.some((message) => typeof message?.role !== "string") ? ["what is no message"] : []
  const first = llm.findIndex(({ role }) => role !== "system" && role !== "developer")
  if (llm[first]?.role === "assistant") faults.push("an answer is first")
  const seen = new Set<string>()
  let open: string[] = []
  let before: LlmMessage | undefined
  for (const message of llm) {
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
  if (message.role !== "assistant" || !Array.isArray(message.content)) return []
  const calls = message.content.filter((block): block is ToolCall => block?.type === "toolCall")
  return calls.map(({ id }) => String(id))
}

function contentFaults({ role, content }: LlmMessage): string[] {
  const faults = textFaults(content)
  if (typeof content === "string") {
    if (isBlank(content)) faults.push(`${role}: blank`)
    return role === "assistant" || role === "toolResult" ? [...faults, `${role}: content is a text`] : faults
  }
  if (!Array.isArray(content) || content.length === 0) return [...faults, `${role}: no content`]
  faults.push(...content.flatMap((block: unknown) => blockFaults(role, block)))
  const last = content.at(-1)?.type
  return last === "thinking" || last === "redactedThinking" ? [...faults, "an answer ends in thinking"] : faults
}
