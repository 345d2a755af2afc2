import type { AssistantMessage, ContentBlock, LostResult, Message, ToolResultMessage } from "../entry/message.js"
import { isJsonObject } from "../entry/values.js"
import { toolCalls } from "./message-part.js"

/**
 * Adds a result to each call that has none behind it, in the words of `lostResult` of its reply, in the order of the calls, or right behind its call.
 * @param entries the ids of the messages' entries; a result that is added has that of the reply
 */
export function withLostResults(
  messages: Message[],
  entries: string[],
): { readonly messages: Message[]; readonly entries: string[] } {
  if (!messages.some(lostResultOf)) return { messages, entries }
  /** How many results behind a place have each id: an id of a call can be used again. */
  const results = new Map<string, number>()
  const answered = messages.map(() => new Set<string>())
  for (const [at, message] of [...messages.entries()].reverse()) {
    if (message.role === "toolResult") {
      const { toolCallId } = message as ToolResultMessage
      results.set(toolCallId, (results.get(toolCallId) ?? 0) + 1)
    }
    for (const { id } of toolCalls(message)) {
      const left = results.get(id) ?? 0
      if (left === 0) continue
      answered[at]?.add(id)
      results.set(id, left - 1)
    }
  }
  const all: { message: Message; entry: string }[] = []
  /** The results that the last reply lacks, by the position of the call. */
  let lost: { call: number; message: ToolResultMessage; entry: string }[] = []
  let order: string[] = []
  const giveBefore = (call: number): void => {
    for (let next = lost[0]; next && next.call < call; next = lost[0]) all.push(lost.shift() ?? next)
  }
  for (const [at, message] of messages.entries()) {
    const entry = entries[at] ?? ""
    const call = message.role === "toolResult" ? order.indexOf((message as ToolResultMessage).toolCallId) : -1
    giveBefore(call < 0 ? Number.POSITIVE_INFINITY : call)
    all.push({ message, entry })
    const words = lostResultOf(message)
    if (!words) continue
    const calls = toolCalls(message)
    order = calls.map(({ id }) => id)
    lost = calls.flatMap(({ id, name }, call) => {
      if (answered[at]?.has(id)) return []
      const content = [{ type: "text" as const, text: words.text.replaceAll("{tool}", () => name) }]
      const { timestamp } = message as AssistantMessage
      const result = {
        role: "toolResult" as const,
        toolCallId: id,
        toolName: name,
        content,
        isError: words.isError,
        timestamp,
      }
      return { call, entry, message: result }
    })
    if (words.isBehindCall !== true) continue
    all.pop()
    all.push(...behindCalls(message, lost, entry))
    lost = []
  }
  giveBefore(Number.POSITIVE_INFINITY)
  return { messages: all.map(({ message }) => message), entries: all.map(({ entry }) => entry) }
}

/** A reply in pieces: each ends with a call that was lost, and its result follows. */
function behindCalls(reply: Message, lost: readonly { readonly message: ToolResultMessage }[], entry: string) {
  const { content } = reply as AssistantMessage
  const pieces: { message: Message; entry: string }[] = []
  let from = 0
  for (const { message } of lost) {
    const isCall = ({ type, id }: ContentBlock & { readonly id?: unknown }, at: number): boolean =>
      at >= from && type === "toolCall" && id === message.toolCallId
    const to = content.findIndex(isCall) + 1
    pieces.push({ message: { ...reply, content: content.slice(from, to) } as Message, entry }, { message, entry })
    from = to
  }
  const rest = content.slice(from)
  if (rest.length > 0 || from === 0) pieces.push({ message: { ...reply, content: rest } as Message, entry })
  return pieces
}

/** Values of files are checked where they are read. */
function lostResultOf(message: Message): LostResult | undefined {
  const words = message.role === "assistant" && "lostResult" in message ? message.lostResult : undefined
  if (!isJsonObject(words) || typeof words.text !== "string") return undefined
  return { text: words.text, isError: words.isError === true, isBehindCall: words.isBehindCall === true }
}
