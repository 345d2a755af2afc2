import { contextBoundary } from "../context/boundary.js"
import { contextOf } from "../context/build-context.js"
import { type EntryPath, pathOfEntries } from "../context/entry-path.js"
import type { SessionEntry } from "../entry/entry.js"
import { isJsonObject } from "../entry/json-object.js"
import type { Message } from "../entry/message.js"
import { totalOf } from "./add-usage.js"
import { estimateTokens } from "./estimate-tokens.js"

/** The size of a context, in tokens. */
export interface ContextTokens {
  readonly tokens: number
  /** Tokens that the provider reported with the last successful answer; 0 when there is none. */
  readonly usageTokens: number
  /** Estimated tokens of the messages after that answer; of all messages when there is none. */
  readonly trailingTokens: number
  /** Index of that answer among the messages; null when there is none. */
  readonly lastUsageIndex: number | null
}

/** The size of a list of messages: the usage of the last good answer, plus an estimate of what follows (FORMAT.md, section 9). */
export function estimateContextTokens(messages: readonly Message[]): ContextTokens {
  return tokensFrom(messages, 0)
}

/**
 * The size of the context at the end of a path (root first). Unlike `estimateContextTokens`, it ignores the usage of answers from
 * before the last compaction, which measured a context that no longer exists.
 */
export function sessionContextTokens(path: readonly SessionEntry[]): ContextTokens {
  return pathContextTokens(pathOfEntries(path))
}

/** The same for an `EntryPath`; reads only the entries that the model sees. */
export function pathContextTokens(path: EntryPath): ContextTokens {
  const { messages, entries } = contextOf(path)
  const { compaction, rest } = contextBoundary(path)
  if (!compaction) return tokensFrom(messages, 0)
  const since = new Set(Array.from({ length: path.length - rest }, (_, index) => path.id(rest + index)))
  const first = entries.findIndex((id) => since.has(id))
  return tokensFrom(messages, first < 0 ? messages.length : first)
}

/** @param from index of the first message whose reported usage counts */
function tokensFrom(messages: readonly Message[], from: number): ContextTokens {
  let trailingTokens = 0
  for (let index = messages.length - 1; index >= 0; index--) {
    const message = messages[index] as Message
    const usageTokens = index < from ? undefined : measuredTokens(message)
    if (usageTokens !== undefined)
      return { tokens: usageTokens + trailingTokens, usageTokens, trailingTokens, lastUsageIndex: index }
    trailingTokens += estimateTokens(message)
  }
  return { tokens: trailingTokens, usageTokens: 0, trailingTokens, lastUsageIndex: null }
}

/** The tokens that a provider reported with an answer that neither failed nor was aborted. */
function measuredTokens(message: Message): number | undefined {
  if (!isJsonObject(message) || message.role !== "assistant" || !isJsonObject(message.usage)) return undefined
  return message.stopReason === "aborted" || message.stopReason === "error" ? undefined : totalOf(message.usage)
}
