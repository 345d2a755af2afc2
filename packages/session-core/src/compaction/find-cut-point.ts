import { pathMessages } from "../context/edits.js"
import { type EntryPath, pathOfEntries } from "../context/entry-path.js"
import type { SessionEntry } from "../entry/entry.js"
import type { Message } from "../entry/message.js"
import { beginsTurn, cutPoints } from "./cut-points.js"
import { estimateTokens } from "./estimate-tokens.js"

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

/** The same for entries whose messages are known. */
export function cutPointOf(
  path: EntryPath,
  messages: readonly (Message | undefined)[],
  startIndex: number,
  endIndex: number,
  keepRecentTokens: number,
): CutPoint {
  const points = cutPoints(messages, startIndex, endIndex)
  const full = whereFull(messages, startIndex, endIndex, keepRecentTokens)
  const firstMessage =
    full === undefined ? points[0] : (points.find((point) => point >= full) ?? points[points.length - 1])
  if (firstMessage === undefined) return { firstKeptEntryIndex: startIndex, turnStartIndex: -1, isSplitTurn: false }
  const turnStartIndex = beginsTurn(messages[firstMessage]) ? -1 : turnStartBefore(messages, firstMessage, startIndex)
  const firstKeptEntryIndex = withBookkeeping(path, messages, firstMessage, startIndex)
  return { firstKeptEntryIndex, turnStartIndex, isSplitTurn: turnStartIndex !== -1 }
}

/** Index of the message, counted from the end, with which the kept messages reach `tokens`. */
function whereFull(
  messages: readonly (Message | undefined)[],
  start: number,
  end: number,
  tokens: number,
): number | undefined {
  let sum = 0
  for (let index = end - 1; index >= start; index--) {
    const message = messages[index]
    if (!message) continue
    sum += estimateTokens(message)
    if (sum >= tokens) return index
  }
  return undefined
}

function turnStartBefore(messages: readonly (Message | undefined)[], index: number, start: number): number {
  for (let at = index; at >= start; at--) if (beginsTurn(messages[at])) return at
  return -1
}

function withBookkeeping(
  path: EntryPath,
  messages: readonly (Message | undefined)[],
  index: number,
  start: number,
): number {
  let first = index
  while (first > start && messages[first - 1] === undefined && path.type(first - 1) !== "compaction") first--
  return first
}
