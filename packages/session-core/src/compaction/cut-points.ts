import { isJsonObject } from "../entry/json-object.js"
import type { Message } from "../entry/message.js"

/** Said by the user, or in the user's place: a turn begins with it. */
const TURN_STARTS: ReadonlySet<string> = new Set([
  "user",
  "bashExecution",
  "custom",
  "branchSummary",
  "compactionSummary",
])

export function beginsTurn(message: Message | undefined): boolean {
  return message !== undefined && TURN_STARTS.has(message.role)
}

/**
 * Where a conversation may be cut (FORMAT.md, section 9): before the user's words, or before an answer; never between a tool
 * call and its result, whatever else stands between the two.
 * @returns indices from `start` to before `end`, ascending
 */
export function cutPoints(messages: readonly (Message | undefined)[], start: number, end: number): number[] {
  const callOf = callsOfResults(messages, start, end)
  const points: number[] = []
  let earliestCall = Number.POSITIVE_INFINITY
  for (let index = end - 1; index >= start; index--) {
    earliestCall = Math.min(earliestCall, callOf.get(index) ?? earliestCall)
    const message = messages[index]
    const isCut = message?.role === "assistant" || beginsTurn(message)
    if (isCut && index <= earliestCall) points.push(index)
  }
  return points.reverse()
}

/** For each tool result the nearest call before it with its id, both as indices. */
function callsOfResults(messages: readonly (Message | undefined)[], start: number, end: number): Map<number, number> {
  const calls = new Map<unknown, number>()
  const found = new Map<number, number>()
  for (let index = start; index < end; index++) {
    const message = messages[index]
    if (message?.role === "assistant") for (const id of callIds(message)) calls.set(id, index)
    else if (message?.role === "toolResult" && "toolCallId" in message) {
      const call = calls.get(message.toolCallId)
      if (call !== undefined) found.set(index, call)
    }
  }
  return found
}

function callIds(message: Message): unknown[] {
  const content: unknown = "content" in message ? message.content : undefined
  if (!Array.isArray(content)) return []
  return content.flatMap((block) => (isJsonObject(block) && block.type === "toolCall" ? [block.id] : []))
}
