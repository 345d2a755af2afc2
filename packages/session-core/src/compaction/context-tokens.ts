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
  /** What the provider reported with the last good answer. */
  readonly usageTokens: number
  /** The estimate of what follows that answer; of everything, where there is none. */
  readonly trailingTokens: number
  /** Where that answer stands among the messages; null where there is none. */
  readonly lastUsageIndex: number | null
}

/** The size of a list of messages: the usage of the last good answer, plus an estimate of what follows (FORMAT.md, section 9). */
export function estimateContextTokens(messages: readonly Message[]): ContextTokens {
  return tokensFrom(messages, 0)
}

/**
 * The size of the context at the end of a path. Unlike `estimateContextTokens` it can tell that an answer was given before
 * the last compaction: its usage speaks of a context that is no more, and does not count.
 */
export function sessionContextTokens(path: readonly SessionEntry[]): ContextTokens {
  return pathContextTokens(pathOfEntries(path))
}

/** The same for a path of which only what the model sees is to be read. */
export function pathContextTokens(path: EntryPath): ContextTokens {
  const { messages, entries } = contextOf(path)
  const { compaction, rest } = contextBoundary(path)
  if (!compaction) return tokensFrom(messages, 0)
  const since = new Set(Array.from({ length: path.length - rest }, (_, index) => path.id(rest + index)))
  const first = entries.findIndex((id) => since.has(id))
  return tokensFrom(messages, first < 0 ? messages.length : first)
}

/** @param from answers before it do not count as measured */
function tokensFrom(messages: readonly Message[], from: number): ContextTokens {
  for (let index = messages.length - 1; index >= from; index--) {
    const usageTokens = measuredTokens(messages[index])
    if (usageTokens === undefined) continue
    const trailingTokens = sumOf(messages.slice(index + 1))
    return { tokens: usageTokens + trailingTokens, usageTokens, trailingTokens, lastUsageIndex: index }
  }
  const tokens = sumOf(messages)
  return { tokens, usageTokens: 0, trailingTokens: tokens, lastUsageIndex: null }
}

/** What a provider measured with an answer that neither failed nor was aborted. */
function measuredTokens(message: Message | undefined): number | undefined {
  if (!isJsonObject(message) || message.role !== "assistant" || !isJsonObject(message.usage)) return undefined
  if (message.stopReason === "aborted" || message.stopReason === "error") return undefined
  return totalOf(message.usage)
}

function sumOf(messages: readonly Message[]): number {
  return messages.reduce((sum, message) => sum + estimateTokens(message), 0)
}
