import type { Diagnostic } from "../entry/diagnostic.js"
import { type CompactionEntry, isEntry } from "../entry/entry.js"
import type { Message } from "../entry/message.js"
import { isJsonObject, valueText } from "../entry/values.js"
import type { EntryPath } from "./entry-path.js"
import { withContent } from "./path-messages.js"

/** Which part of a path the model still sees (FORMAT.md, section 6, steps 4 and 5). */
export interface ContextBoundary {
  /** The last compaction, whose summary replaces the entries that are not kept. Undefined after a reset, and when there is none. */
  readonly compaction: CompactionEntry | undefined
  /** Indices of the entries that are kept from before the compaction: `[from, to)`. */
  readonly kept: { readonly from: number; readonly to: number }
  /** Index of the first entry after the boundary. */
  readonly rest: number
  readonly diagnostics: readonly Diagnostic[]
}

/** Finds the last boundary of a path, which is a compaction or a reset. */
export function contextBoundary(path: EntryPath): ContextBoundary {
  const isReset = (index: number): boolean => path.type(index) === "reset_boundary"
  const end = lastIndex(0, path.length, (index) => isReset(index) || path.type(index) === "compaction")
  const rest = end + 1
  const compaction = end < 0 || isReset(end) ? undefined : path.entry(end)
  if (!compaction || !isEntry(compaction, "compaction"))
    return { compaction: undefined, kept: { from: 0, to: 0 }, rest, diagnostics: [] }
  if (retainedMessages(compaction)) return { compaction, kept: { from: end, to: end }, rest, diagnostics: [] }
  const first = firstKept(path, end, compaction)
  if (first < 0) return { compaction, kept: { from: end, to: end }, rest, diagnostics: [unknownBoundary(compaction)] }
  // Of a reset and a compaction the later one counts, as in omp: a reset among the kept entries excludes nothing.
  return { compaction, kept: { from: first, to: end }, rest, diagnostics: [] }
}

/** The index of the first entry that is kept; -1 where that is not known. @param end of the compaction */
function firstKept(path: EntryPath, end: number, compaction: CompactionEntry): number {
  const [id, after] = [compaction.firstKeptEntryId, keptAfter(compaction)]
  if (after === undefined) return lastIndex(0, end + 1, (index) => path.id(index) === id)
  const last = lastIndex(0, end, (index) => path.id(index) === after)
  return last < 0 ? -1 : last + 1
}

/** The entry behind which a compaction keeps what follows, where it names none that it keeps: one of omp that was made while the conversation went on. */
export function keptAfter(compaction: CompactionEntry): string | undefined {
  return compaction.firstKeptEntryId === "" ? compaction.providerReplayThroughEntryId : undefined
}

/** The messages that a compaction keeps itself, instead of entries before it; undefined where it keeps entries. */
export function retainedMessages({ retainedTail }: CompactionEntry): Message[] | undefined {
  return messagesOf(retainedTail)
}

/** The messages that are sent for a compaction, instead of its summary in words of treelog's; undefined where it does not have them. */
export function sentMessages({ sentAs }: CompactionEntry): Message[] | undefined {
  return messagesOf(sentAs)
}

function messagesOf(list: CompactionEntry["retainedTail"]): Message[] | undefined {
  if (!Array.isArray(list)) return undefined
  return list.filter((message) => isJsonObject(message) && typeof message.role === "string").map(withContent)
}

/** Whether a message is one that the compaction has in its own system message, as pi 1.x does with those that it keeps. */
export function isFolded({ kept }: ContextBoundary, index: number, message: Message): boolean {
  return message.role === "system" && index >= kept.from && index < kept.to
}

function lastIndex(from: number, to: number, test: (index: number) => boolean): number {
  let index = to - 1
  while (index >= from && !test(index)) index--
  return index < from ? -1 : index
}

export function unknownBoundary({ id, firstKeptEntryId }: CompactionEntry): Diagnostic {
  const what =
    firstKeptEntryId === undefined ? "names no entry" : `names ${valueText(firstKeptEntryId)}, which is not on its path`
  const message = `Compaction ${id} ${what} as the first that it keeps; nothing before it is kept.`
  return { kind: "unknown-compaction-boundary", entryId: id, message }
}
