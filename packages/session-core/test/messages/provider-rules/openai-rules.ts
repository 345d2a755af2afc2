import type { OpenAIInputItem, OpenAIMessage } from "@treelog/session-core/messages"
import { idFaults, isBlank, nameFaults, textFaults } from "./text-rules.js"

/** For what OpenAI's Chat Completions API would turn the messages down. */
export function openAIFaults(messages: readonly OpenAIMessage[]): string[] {
  const faults = textFaults(messages)
  const seen = new Set<string>()
  let open: string[] = []
  for (const [index, message] of messages.entries()) {
    const at = (fault: string): string => `messages.${index}: ${fault}`
    if (message.role === "tool") {
      if (!open.includes(message.tool_call_id))
        faults.push(at(`a result of ${message.tool_call_id}, which nobody awaits`))
      open = open.filter((id) => id !== message.tool_call_id)
    } else if (open.length > 0) {
      faults.push(at(`no results of ${open} before it`))
      open = []
    }
    if (message.role === "assistant") {
      const calls = message.tool_calls ?? []
      if (message.content === null && calls.length === 0) faults.push(at("neither content nor calls"))
      if (message.tool_calls?.length === 0) faults.push(at("an empty list of calls"))
      open = calls.map(({ id }) => id)
      faults.push(...calls.flatMap((call) => callFaults(call.id, call.function, seen)).map(at))
    }
    if (isEmpty(message.content) && !(message.role === "assistant" && message.content === null))
      faults.push(at("empty"))
  }
  return open.length > 0 ? [...faults, `no results of ${open}`] : faults
}

/** For what OpenAI's Responses API would turn the input down. */
export function openAIInputFaults(items: readonly OpenAIInputItem[]): string[] {
  const faults = textFaults(items)
  const seen = new Set<string>()
  const open = new Set<string>()
  for (const [index, item] of items.entries()) {
    const at = (fault: string): string => `input.${index}: ${fault}`
    if ("role" in item) {
      if (open.size > 0 && item.role !== "assistant") faults.push(at(`a message before the results of ${[...open]}`))
      if (isEmpty(item.content)) faults.push(at("empty"))
    } else if (item.type === "function_call") {
      faults.push(...callFaults(item.call_id, item, seen).map(at))
      open.add(item.call_id)
    } else if (item.type === "function_call_output") {
      if (!open.delete(item.call_id)) faults.push(at(`an output of ${item.call_id}, which nobody awaits`))
    } else {
      if (!followsReasoning(items[index + 1])) faults.push(at("reasoning without the item that it led to"))
      if ("id" in item && item.id !== undefined && seen.has(item.id)) faults.push(at(`the id ${item.id} twice`))
      if ("id" in item) seen.add(item.id)
    }
  }
  return open.size > 0 ? [...faults, `no outputs of ${[...open]}`] : faults
}

function followsReasoning(item: OpenAIInputItem | undefined): boolean {
  if (!item) return false
  if ("role" in item) return item.role === "assistant"
  return item.type === "function_call" || item.type === "reasoning"
}

function callFaults(id: string, { name, arguments: json }: { name: string; arguments: string }, seen: Set<string>) {
  const twice = seen.has(id) ? [`the id ${id} twice`] : []
  seen.add(id)
  const args: unknown = JSON.parse(json)
  const odd = typeof args === "object" && args !== null && !Array.isArray(args) ? [] : ["arguments that are no object"]
  return [...twice, ...odd, ...idFaults(id), ...nameFaults(name)]
}

function isEmpty(content: unknown): boolean {
  if (typeof content === "string") return isBlank(content)
  return (
    !Array.isArray(content) || content.length === 0 || content.some(({ text }) => text !== undefined && isBlank(text))
  )
}
