import type { Message, ToolResultMessage, UserMessage } from "../../entry/message.js"
import { isJsonObject } from "../../entry/values.js"
import type { ContextChange, NoteAt, RepairOptions } from "./context-change.js"
import { alternateTurns, type PlacedMessage, pairResults } from "./pair-results.js"
import { repairMessage } from "./repair-message.js"

/** Messages that every provider accepts, and the changes that were made. */
export interface RepairedContext<M extends Message = Message> {
  /** The input itself when nothing changed; otherwise a new list that shares the unchanged messages with it. */
  readonly messages: readonly (M | ToolResultMessage | UserMessage)[]
  readonly changes: readonly ContextChange[]
}

/**
 * Makes any part of any history acceptable to Anthropic, OpenAI and Google (FORMAT.md, section 6). Each call gets exactly one
 * result, right after it; an added one says that the call was interrupted. Results without a call, empty blocks and turns, and
 * blocks that no provider accepts are removed. Lone surrogates are replaced; an image that cannot be read, such as one that was
 * not restored from the blob store, becomes a text. The user begins, and no two answers are adjacent.
 *
 * Accepts messages before or after `convertToLlm`; those of unknown roles are not changed. A history that needs no change, such
 * as one that was repaired before, is returned as the same list.
 */
export function repairContext<M extends Message>(
  messages: readonly M[],
  options: RepairOptions = {},
): RepairedContext<M> {
  const changes: ContextChange[] = []
  const note: NoteAt = (kind, index, message) => changes.push({ kind, index, message })
  const placed: PlacedMessage[] = []
  for (const [index, message] of messages.entries()) {
    if (!isJsonObject(message) || typeof message.role !== "string") {
      note("not-a-message", index, "It is not a message, so it was removed.")
      continue
    }
    const repaired = repairMessage(message, (kind, what) => note(kind, index, what), options)
    if (repaired) placed.push({ index, message: repaired })
  }
  const paired = pairResults(placed, note)
  const turns = options.turns === false ? paired : alternateTurns(paired, note)
  return changes.length === 0 ? { messages, changes } : { messages: turns.map(({ message }) => message as M), changes }
}
