import type { ModelMessage } from "@treelog/session-core/messages"
import { idFaults, isBlank, isSameSet, nameFaults, textFaults } from "./text-rules.js"

interface Content {
  readonly role: "user" | "model"
  readonly calls: readonly string[]
  readonly results: readonly string[]
}

/** For what Google's API would turn the messages down, once the AI SDK has made them its contents. */
export function googleFaults(messages: readonly ModelMessage[]): string[] {
  const conversation = messages.filter(({ role }) => role !== "system")
  const faults = [...textFaults(messages), ...messages.flatMap(partFaults)]
  const instructions = messages.length - conversation.length
  if (messages.slice(instructions).some(({ role }) => role === "system")) {
    faults.push("system messages that do not stand at the beginning")
  }
  const contents = conversation.map(contentOf)
  if (contents[0]?.role === "model") faults.push("the first turn is the model's")
  for (const [index, { role, calls, results }] of contents.entries()) {
    const [before, after] = [contents[index - 1], contents[index + 1]]
    const at = (fault: string): string => `contents.${index}: ${fault}`
    if (role === "model" && before?.role === "model") faults.push(at("two turns of the model in a row"))
    if (calls.length > 0 && after?.results.length !== calls.length)
      faults.push(at("other than one result for each call"))
    if (results.length > 0 && !isSameSet(results, before?.calls ?? [])) {
      faults.push(at("results that are not those of the calls before"))
    }
  }
  const ids = messages.flatMap((message) => (message.role === "assistant" ? message.content : [])).filter(isCall)
  if (new Set(ids.map(({ toolCallId }) => toolCallId)).size < ids.length) faults.push("the same id for two calls")
  return faults
}

function contentOf(message: ModelMessage): Content {
  const keyed = ({ toolCallId, toolName }: { toolCallId: string; toolName: string }) => `${toolName} ${toolCallId}`
  const calls = message.role === "assistant" ? message.content.filter(isCall).map(keyed) : []
  const answered = message.role === "tool" ? message.content : []
  const results = answered.flatMap((part) => (part.type === "tool-result" ? [keyed(part)] : []))
  return { role: message.role === "assistant" ? "model" : "user", calls, results }
}

function isCall<Part extends { type: string }>(part: Part): part is Extract<Part, { type: "tool-call" }> {
  return part.type === "tool-call"
}

function partFaults(message: ModelMessage): string[] {
  if (typeof message.content === "string") return isBlank(message.content) ? ["a blank text"] : []
  if (message.content.length === 0) return ["a message without parts"]
  return message.content.flatMap((part) => {
    if (part.type === "text") return isBlank(part.text) ? ["a blank text"] : []
    if (part.type === "tool-call" || part.type === "tool-result") {
      return [...idFaults(part.toolCallId), ...nameFaults(part.toolName)]
    }
    return []
  })
}
