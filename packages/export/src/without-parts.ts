import type { SessionEntry } from "@treelog/session-core"
import { type Fields, isObject } from "@treelog-internal/text"

/** Which parts of messages are exported. */
export interface Parts {
  readonly tools: boolean
  readonly thinking: boolean
}

/** An entry without tool calls and their results, or without thinking. The entry stays, so that the tree does. */
export function withoutParts<Entry extends object>(entry: Entry, { tools, thinking }: Parts): Entry {
  const { type, message } = entry as Fields
  if ((tools && thinking) || type !== "message" || !isObject(message)) return entry
  const changed = withoutBlocks(message, { tools, thinking })
  return changed === message ? entry : { ...entry, message: changed }
}

function withoutBlocks(message: Fields, { tools, thinking }: Parts): Fields {
  if (message.role === "toolResult") return tools ? message : withoutResult(message)
  const { content } = message
  if (!Array.isArray(content)) return message
  const isKept = (block: unknown): boolean => {
    const type = isObject(block) ? block.type : undefined
    return (tools || type !== "toolCall") && (thinking || (type !== "thinking" && type !== "redactedThinking"))
  }
  return content.every(isKept) ? message : { ...message, content: content.filter(isKept) }
}

/** The name of the tool stays, and what it was the result of. */
function withoutResult({ details: _, ...message }: Fields): Fields {
  return { ...message, content: [] }
}

/** Whether nothing readable is left of a message. */
export function isLeftEmpty(entry: SessionEntry, parts: Parts): boolean {
  const { type, message } = entry as unknown as Fields
  if ((parts.tools && parts.thinking) || type !== "message" || !isObject(message)) return false
  if (message.role === "toolResult") return !parts.tools
  const isAnswer = message.role === "assistant" && message.errorMessage === undefined
  return isAnswer && Array.isArray(message.content) && message.content.length === 0
}
