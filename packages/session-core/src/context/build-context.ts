import type { Diagnostic } from "../entry/diagnostic.js"
import type { CompactionEntry, SessionEntry } from "../entry/entry.js"
import type { Message } from "../entry/message.js"
import type { Checkpoint, ContextSettings } from "../entry/settings.js"
import { isJsonObject } from "../entry/values.js"
import { EntryTree } from "../tree/entry-tree.js"
import { contextBoundary, isFolded, retainedMessages, sentMessages } from "./boundary.js"
import { inChatForm } from "./chat-form.js"
import { type EntryPath, pathOfEntries } from "./entry-path.js"
import { withLostResults } from "./lost-results.js"
import { compactionMessage, pathMessages, withContent } from "./path-messages.js"
import { inPlace } from "./placement.js"
import { settingsAt } from "./settings.js"

/** The context for a model: messages and settings (FORMAT.md, section 6). */
export interface SessionContext extends ContextSettings {
  messages: Message[]
  /** `entries[i]` is the id of the entry that `messages[i]` comes from. */
  entries: string[]
  diagnostics: Diagnostic[]
}

/** Options for building a context. */
export interface ContextOptions {
  /** The provider that gets the context: entries that its own server-side compaction replaced are left out. */
  provider?: string
}

/**
 * Builds the context at a leaf. Pure: copies and changes no entry.
 * @param leafId null for an empty context; undefined or an unknown id for the last entry
 */
export function buildSessionContext(
  entries: readonly SessionEntry[],
  leafId?: string | null,
  options: ContextOptions = {},
): SessionContext {
  if (leafId === null) return contextOf(pathOfEntries([]), options)
  const tree = new EntryTree(entries)
  const leaf = (leafId === undefined ? undefined : tree.ordinalOf(leafId)) ?? entries.length - 1
  const path = leaf < 0 ? [] : tree.pathTo(leaf).flatMap((ordinal) => entries[ordinal] ?? [])
  return contextOf(pathOfEntries(path), options)
}

/** The context at the end of a path. @param checkpoint the settings at the end of the path, if they are known */
export function contextOf(
  path: EntryPath,
  options: ContextOptions = {},
  checkpoint: Checkpoint = settingsAt(path),
): SessionContext {
  const boundary = contextBoundary(path)
  const { compaction, kept, rest, diagnostics } = boundary
  const { defaultModelIsExplicit: _, ...settings } = checkpoint
  const start = compaction ? kept.from : rest
  const summary = compaction && compactionMessage(compaction)
  const payload = summary?.providerPayload
  // The provider's own compacted history replaces the kept entries.
  const isReplaced = payload !== undefined && payload.provider === options.provider
  const given = pathMessages(path, start, isReplaced ? afterHistory(path, compaction, start, rest) : start)
  const messages: Message[] = []
  const entries: string[] = []
  const leftOut = new Set<number>()
  const give = (entryId: string, message: Message): void => {
    messages.push(message)
    entries.push(entryId)
  }
  if (compaction && summary) {
    if (isJsonObject(compaction.systemMessage)) give(compaction.id, withContent(compaction.systemMessage))
    const sent = sentMessages(compaction)
    for (const message of sent ?? []) give(compaction.id, message)
    // Where nothing was summarized, nothing is sent of it.
    if (!sent && (!summary.verbatim || summary.summary !== "" || payload)) give(compaction.id, summary)
    if (!isReplaced) for (const message of retainedMessages(compaction) ?? []) give(compaction.id, message)
  }
  for (const [index, message] of given.messages.entries()) {
    if (message && !isFolded(boundary, index, message)) give(path.id(index), message)
    else if (!message && index >= start && isReply(path, index)) leftOut.add(messages.length)
    if (index < kept.from || index >= kept.to || path.type(index) !== "compaction") continue
    // Of an older compaction in the kept part, only what its agent sends for it.
    for (const sent of sentMessages(path.entry(index) as CompactionEntry) ?? []) give(path.id(index), sent)
  }
  const placed = inPlace(messages, entries, leftOut)
  const answered = withLostResults(placed.messages, placed.entries)
  return {
    ...settings,
    ...inChatForm(answered.messages, answered.entries),
    diagnostics: [...diagnostics, ...given.diagnostics],
  }
}

function isReply(path: EntryPath, index: number): boolean {
  if (path.type(index) !== "message") return false
  const { message } = path.entry(index) as { readonly message?: { readonly role?: unknown } | null }
  return message?.role === "assistant"
}

/** What follows a provider's own compacted history: omp has it made beside the conversation, which goes on meanwhile. */
function afterHistory(path: EntryPath, compaction: CompactionEntry | undefined, start: number, rest: number): number {
  const last = compaction?.providerReplayThroughEntryId
  for (let index = rest - 1; last !== undefined && index >= Math.max(0, start - 1); index--)
    if (path.id(index) === last) return index + 1
  return rest
}
