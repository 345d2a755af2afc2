import { rolePart } from "../context/llm/message-part.js"
import { isJsonObject } from "../entry/json-object.js"
import type { Message } from "../entry/message.js"

/** Whether a turn starts: with a message of the user, or in the user's place. A `fileMention` belongs to the message before it. */
export function beginsTurn(message: Message | undefined): boolean {
  return message !== undefined && message.role !== "fileMention" && rolePart(message.role) === "user"
}

/**
 * Where a conversation may be cut (FORMAT.md, section 9): before a user message or an answer; never between a tool call and its
 * result, even if other messages are between the two.
 * @returns indices from `start` to before `end`, ascending
 */
export function cutPoints(messages: readonly (Message | undefined)[], start: number, end: number): number[] {
  const { callOf, earliestOpen } = pairsIn(messages, start, end)
  const points: number[] = []
  let earliestCall = earliestOpen
  for (let index = end - 1; index >= start; index--) {
    earliestCall = Math.min(earliestCall, callOf.get(index) ?? earliestCall)
    const message = messages[index]
    const isCut = message?.role === "assistant" || beginsTurn(message)
    if (isCut && index <= earliestCall) points.push(index)
  }
  return points.reverse()
}

interface Pairs {
  /** For each tool result the nearest call before it with its id, both as indices. */
  readonly callOf: ReadonlyMap<number, number>
  /** The first call of the current turn without a result yet: the tool may be running. Infinity when there is none. */
  readonly earliestOpen: number
}

function pairsIn(messages: readonly (Message | undefined)[], start: number, end: number): Pairs {
  const calls = new Map<unknown, number>()
  const callOf = new Map<number, number>()
  const open = new Map<unknown, number>()
  for (let index = start; index < end; index++) {
    const message = messages[index]
    // A call without a result before the next user message was interrupted, and never gets one.
    if (beginsTurn(message)) open.clear()
    if (message?.role === "assistant") {
      for (const id of callIds(message)) {
        calls.set(id, index)
        open.set(id, index)
      }
    } else if (message?.role === "toolResult" && "toolCallId" in message) {
      const call = calls.get(message.toolCallId)
      if (call !== undefined) callOf.set(index, call)
      open.delete(message.toolCallId)
    }
  }
  return { callOf, earliestOpen: [...open.values()][0] ?? Number.POSITIVE_INFINITY }
}

function callIds(message: Message): unknown[] {
  const content: unknown = "content" in message ? message.content : undefined
  if (!Array.isArray(content)) return []
  return content.flatMap((block) => (isJsonObject(block) && block.type === "toolCall" ? [block.id] : []))
}
