import { rolePart } from "../context/llm/message-part.js"
import { isJsonObject } from "../entry/json-object.js"
import type { Message } from "../entry/message.js"

/** Whether a turn starts: with a message of the user, or in the user's place. A `fileMention` belongs to the message before it. */
export function beginsTurn(message: Message | undefined): boolean {
  return message !== undefined && message.role !== "fileMention" && rolePart(message.role) === "user"
}

/**
 * Where a conversation may be cut (FORMAT.md, section 9): before a user message or an answer; never between a tool call and its
 * result, even if other messages are between the two, and not after a call whose tool may still be running.
 * @returns indices from `start` to before `end`, ascending
 */
export function cutPoints(messages: readonly (Message | undefined)[], start: number, end: number): number[] {
  const calls = new Map<unknown, number>()
  /** Calls of the current turn without a result yet. */
  const open = new Map<unknown, number>()
  const points: number[] = []
  for (let index = start; index < end; index++) {
    const message = messages[index]
    const isTurn = beginsTurn(message)
    // A call without a result before the next user message was interrupted, and never gets one.
    if (isTurn) open.clear()
    if (isTurn || message?.role === "assistant") points.push(index)
    if (message?.role === "toolResult" && "toolCallId" in message) {
      const call = calls.get(message.toolCallId) ?? index
      open.delete(message.toolCallId)
      // A later point would separate the call from this result.
      while ((points.at(-1) ?? call) > call) points.pop()
    }
    for (const id of callIds(message)) {
      calls.set(id, index)
      open.set(id, index)
    }
  }
  const [running = end] = open.values()
  return points.filter((point) => point <= running)
}

function callIds(message: Message | undefined): unknown[] {
  const content: unknown = message?.role === "assistant" && "content" in message ? message.content : undefined
  if (!Array.isArray(content)) return []
  return content.flatMap((block) => (isJsonObject(block) && block.type === "toolCall" ? [block.id] : []))
}
