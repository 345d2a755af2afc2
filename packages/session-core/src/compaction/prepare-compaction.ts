import { contextBoundary, isFolded, retainedMessages } from "../context/boundary.js"
import { pathContextTokens } from "../context/context-tokens.js"
import { type EntryPath, entriesOf, pathOfEntries } from "../context/entry-path.js"
import { type FileLists, FileOperations, splitFileLists } from "../context/file-operations.js"
import { pathMessages } from "../context/path-messages.js"
import { combinedSystemMessage, isSystemMessage } from "../context/system-message.js"
import type { CompactionEntry, SessionEntry } from "../entry/entry.js"
import type { Message } from "../entry/message.js"
import { type CompactionSettings, DEFAULT_COMPACTION_SETTINGS } from "./compaction-settings.js"
import { cutPointOf } from "./find-cut-point.js"

/** The plan of a compaction: the input for the summarizer, and what is kept. */
export interface CompactionPreparation {
  readonly firstKeptEntryId: string
  /** The messages that the summary replaces, oldest first. */
  readonly messagesToSummarize: Message[]
  /** The first part of the turn that is cut in two, which is summarized separately. Empty when no turn is cut. */
  readonly turnPrefixMessages: Message[]
  /** The messages that are kept unchanged, oldest first. */
  readonly messagesToKeep: Message[]
  readonly isSplitTurn: boolean
  /** Size of the context before the compaction, in tokens. */
  readonly tokensBefore: number
  /** The summary of the previous compaction, as it is stored; the new one continues it. */
  readonly previousSummary?: string
  /** Files of everything that was summarized on this path so far. */
  readonly files: FileLists
  /** All system messages, also those that are kept, behind that of the previous compaction: a single one as it is, several combined. */
  readonly systemMessage?: Message
  readonly settings: CompactionSettings
}

/**
 * Plans the compaction of a path (FORMAT.md, section 9). Each message that the model sees is either summarized or kept, and the
 * previous summary is continued.
 * @param path the entries from the root to the leaf; truncated texts count as they are stored (`planCompaction` restores them first)
 * @returns undefined when the last entry is a compaction, or when there is nothing to summarize
 */
export function prepareCompaction(
  path: readonly SessionEntry[],
  settings: CompactionSettings = DEFAULT_COMPACTION_SETTINGS,
): CompactionPreparation | undefined {
  return preparePath(pathOfEntries(path), settings)
}

/** `prepareCompaction` of an `EntryPath`; reads only the entries that the model sees. */
export function preparePath(path: EntryPath, settings: CompactionSettings): CompactionPreparation | undefined {
  if (path.length === 0 || path.type(path.length - 1) === "compaction") return undefined
  const boundary = contextBoundary(path)
  const { compaction, kept, rest } = boundary
  const start = kept.from < kept.to ? kept.from : rest
  const messages = pathMessages(path, start).messages.map((message, index) =>
    message && isFolded(boundary, index, message) ? undefined : message,
  )
  const cut = cutPointOf(path, messages, start, path.length, settings.keepRecentTokens)
  const historyEnd = cut.isSplitTurn ? cut.turnStartIndex : cut.firstKeptEntryIndex
  // What the previous compaction kept itself precedes all entries that follow it.
  const retained = (compaction && retainedMessages(compaction)) ?? []
  const messagesToSummarize = [...retained, ...present(messages.slice(start, historyEnd))]
  const turnPrefixMessages = present(messages.slice(historyEnd, cut.firstKeptEntryIndex))
  const summarized = [...messagesToSummarize, ...turnPrefixMessages]
  if (summarized.length === 0) return undefined
  const messagesToKeep = present(messages.slice(cut.firstKeptEntryIndex))
  const systems = [compaction?.systemMessage, ...summarized, ...messagesToKeep].filter(isSystemMessage)
  const systemMessage = systems.length > 1 ? combinedSystemMessage(systems) : systems[0]
  const previousSummary: unknown = compaction?.summary
  return {
    firstKeptEntryId: path.id(cut.firstKeptEntryIndex),
    messagesToSummarize,
    turnPrefixMessages,
    messagesToKeep,
    isSplitTurn: cut.isSplitTurn,
    tokensBefore: pathContextTokens(path).tokens,
    ...(typeof previousSummary === "string" && { previousSummary }),
    files: filesOf(entriesOf(path, start, cut.firstKeptEntryIndex), compaction),
    ...(systemMessage && { systemMessage: systemMessage as Message }),
    settings,
  }
}

function present(messages: readonly (Message | undefined)[]): Message[] {
  return messages.filter((message) => message !== undefined)
}

function filesOf(summarized: readonly SessionEntry[], previous: CompactionEntry | undefined): FileLists {
  const files = new FileOperations()
  if (previous) files.addEntry(previous)
  // Also for summaries of extensions: lists in the text have the form that FORMAT.md defines.
  for (const message of (previous && retainedMessages(previous)) ?? [])
    files.addEntry({ ...previous, type: "message", message } as SessionEntry)
  if (typeof previous?.summary === "string") files.addLists(splitFileLists(previous.summary))
  for (const entry of summarized) if (entry.type !== "compaction") files.addEntry(entry)
  return files.lists()
}
