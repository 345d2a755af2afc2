import { estimateTokens } from "../context/context-tokens.js"
import { type EntryPath, pathOfEntries } from "../context/entry-path.js"
import { rolePart, toolCalls } from "../context/message-part.js"
import { pathMessages } from "../context/path-messages.js"
import type { SessionEntry } from "../entry/entry.js"
import type { Message } from "../entry/message.js"

/** Where a path is cut in two: what is summarized, and what is kept. */
export interface CutPoint {
  /** Index of the first kept entry; bookkeeping entries right before the first kept message are kept with it. */
  readonly firstKeptEntryIndex: number
  /** Index of the message that starts the turn which is cut in two; -1 when no turn is cut. */
  readonly turnStartIndex: number
  readonly isSplitTurn: boolean
}

/**
 * Where to cut so that about `keepRecentTokens` of the newest messages are kept (FORMAT.md, section 9): at most the message
 * that goes beyond them is kept too, or, where a turn ends in tool results of that size, their call.
 * @param entries a path, root first
 * @param startIndex index of the first entry to consider
 * @param endIndex index after the last entry to consider
 * @returns a cut point at `startIndex` when there is no place to cut
 */
export function findCutPoint(
  entries: readonly SessionEntry[],
  startIndex: number,
  endIndex: number,
  keepRecentTokens: number,
): CutPoint {
  const path = pathOfEntries(entries)
  return cutPointOf(path, pathMessages(path).messages, startIndex, endIndex, keepRecentTokens)
}

/** The cut point of a path whose messages are known. */
export function cutPointOf(
  path: EntryPath,
  messages: readonly (Message | undefined)[],
  startIndex: number,
  endIndex: number,
  keepRecentTokens: number,
): CutPoint {
  // The message with which the kept ones, counted from the end, reach the limit.
  let full = endIndex - 1
  for (let tokens = 0; full > startIndex; full--) {
    const message = messages[full]
    if (message) tokens += estimateTokens(message)
    if (message && tokens >= keepRecentTokens) break
  }
  const points = cutPoints(messages, startIndex, endIndex)
  const cut = points.find((point) => point >= full) ?? points.at(-1)
  if (cut === undefined) return { firstKeptEntryIndex: startIndex, turnStartIndex: -1, isSplitTurn: false }
  let first = cut
  while (first > startIndex && messages[first - 1] === undefined && path.type(first - 1) !== "compaction") first--
  let turn = cut
  while (turn >= startIndex && !beginsTurn(messages[turn])) turn--
  const isSplitTurn = turn >= startIndex && turn < cut
  return { firstKeptEntryIndex: first, turnStartIndex: isSplitTurn ? turn : -1, isSplitTurn }
}

/** Whether a turn starts: with a message of the user, or in the user's place. A `fileMention` belongs to the message before it. */
function beginsTurn(message: Message | undefined): boolean {
  return message !== undefined && message.role !== "fileMention" && rolePart(message.role) === "user"
}

/**
 * Where a conversation may be cut (FORMAT.md, section 9): before a user message or an answer; never between a tool call and its
 * result, even if other messages are between the two, and not after a call whose tool may still be running.
 * @returns indices from `start` to before `end`, ascending
 */
function cutPoints(messages: readonly (Message | undefined)[], start: number, end: number): number[] {
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
    for (const { id } of toolCalls(message)) {
      calls.set(id, index)
      open.set(id, index)
    }
  }
  const [running = end] = open.values()
  return points.filter((point) => point <= running)
}
