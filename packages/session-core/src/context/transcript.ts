import type { SessionEntry } from "../entry/entry.js"
import { kindOf } from "../entry/kinds.js"
import type { Message } from "../entry/message.js"
import { contextBoundary } from "./boundary.js"
import { editsOn } from "./edits.js"
import { entryMessage } from "./entry-message.js"
import { type EntryPath, pathOfEntries } from "./entry-path.js"

/** One entry of a path as people read it. */
export interface TranscriptItem {
  readonly entry: SessionEntry
  /** What was said, for entries that hold a message. It is the original, also where an edit changed what the model gets. */
  readonly message?: Message
  /** A few words on what the entry is, for all. */
  readonly description: string
  /** Whether the model still gets it: not what a compaction or reset left behind, nor what an edit omits. */
  readonly inContext: boolean
  readonly edited?: "omitted" | "replaced"
}

/** The other view of a path (FORMAT.md, section 6): every entry, nothing summarized away, compactions as markers. */
export function buildTranscript(entries: readonly SessionEntry[]): TranscriptItem[] {
  return transcriptOf(pathOfEntries(entries))
}

/** The same for a path whose bodies are parsed on demand. */
export function transcriptOf(path: EntryPath): TranscriptItem[] {
  return [...transcriptItems(path)]
}

/** The same one by one, so that memory need not hold all of them. */
export function* transcriptItems(path: EntryPath): Generator<TranscriptItem> {
  const { kept, rest } = contextBoundary(path)
  const { edits } = editsOn(path)
  for (let index = 0; index < path.length; index++) {
    const entry = path.entry(index)
    const message = entryMessage(entry)
    const edit = edits.get(entry.id)
    const gives = message !== undefined && edit !== null
    yield {
      entry,
      ...(message && { message }),
      description: kindOf(entry).describe(entry),
      inContext: gives && ((index >= kept.from && index < kept.to) || index >= rest),
      ...(message && edit !== undefined && { edited: edit === null ? ("omitted" as const) : ("replaced" as const) }),
    }
  }
}
