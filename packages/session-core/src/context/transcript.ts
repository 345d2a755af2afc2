import type { SessionEntry } from "../entry/entry.js"
import type { Message } from "../entry/message.js"
import { contextBoundary, isFolded } from "./boundary.js"
import { type EntryPath, pathOfEntries } from "./entry-path.js"
import { editsOn, entryMessage } from "./path-messages.js"

/** One entry of a path, for display. */
export interface TranscriptItem {
  readonly entry: SessionEntry
  /** The message, for entries that have one: the original, even if an edit changed it for the model. */
  readonly message?: Message
  /** Whether the model still gets the entry: false after a compaction or reset excluded it, or an edit omitted it. */
  readonly inContext: boolean
  readonly edited?: "omitted" | "replaced"
}

/** The transcript of a path (FORMAT.md, section 6): every entry, including those that compactions summarized. */
export function buildTranscript(entries: readonly SessionEntry[]): TranscriptItem[] {
  return transcriptOf(pathOfEntries(entries))
}

export function transcriptOf(path: EntryPath): TranscriptItem[] {
  return [...transcriptItems(path)]
}

/** `transcriptOf` as a generator, so that memory need not hold all items. */
export function* transcriptItems(path: EntryPath): Generator<TranscriptItem> {
  const boundary = contextBoundary(path)
  const { compaction, kept, rest } = boundary
  const start = compaction ? kept.from : rest
  const { edits } = editsOn(path)
  // As in the context: what precedes its first entry, edits no entry of it.
  const { edits: counted } = editsOn(path, start)
  for (let index = 0; index < path.length; index++) {
    const entry = path.entry(index)
    const message = entryMessage(entry)
    const edit = (index < start ? edits : counted).get(entry.id)
    const gives = message !== undefined && edit !== null && !isFolded(boundary, index, message)
    yield {
      entry,
      ...(message && { message }),
      inContext: gives && ((index >= kept.from && index < kept.to) || index >= rest),
      ...(message && edit !== undefined && { edited: edit === null ? ("omitted" as const) : ("replaced" as const) }),
    }
  }
}
