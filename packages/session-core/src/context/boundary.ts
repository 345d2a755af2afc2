import type { Diagnostic } from "../entry/diagnostic.js"
import { type CompactionEntry, isEntry } from "../entry/entry.js"
import { valueText } from "../entry/value-text.js"
import type { EntryPath } from "./entry-path.js"

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
  for (let index = path.length - 1; index >= 0; index--) {
    const type = path.type(index)
    if (type === "reset_boundary") return { ...EVERYTHING, rest: index + 1 }
    if (type === "compaction") {
      const entry = path.entry(index)
      if (isEntry(entry, "compaction")) return compactedAt(path, index, entry)
    }
  }
  return EVERYTHING
}

const EVERYTHING: ContextBoundary = { compaction: undefined, kept: { from: 0, to: 0 }, rest: 0, diagnostics: [] }

function compactedAt(path: EntryPath, index: number, compaction: CompactionEntry): ContextBoundary {
  const from = firstKept(path, index, compaction.firstKeptEntryId)
  const known = from !== undefined
  const kept = { from: known ? afterReset(path, from, index) : index, to: index }
  return { compaction, kept, rest: index + 1, diagnostics: known ? [] : [unknownBoundary(compaction)] }
}

/** The kept entry nearest to the compaction that has the id; the compaction itself means that nothing is kept. */
function firstKept(path: EntryPath, compactionIndex: number, id: unknown): number | undefined {
  for (let index = compactionIndex; index >= 0; index--) if (path.id(index) === id) return index
  return undefined
}

/** Excludes the kept entries before a reset that lies between the first kept entry and the compaction. */
function afterReset(path: EntryPath, from: number, to: number): number {
  for (let index = to - 1; index >= from; index--) if (path.type(index) === "reset_boundary") return index + 1
  return from
}

export function unknownBoundary({ id, firstKeptEntryId }: CompactionEntry): Diagnostic {
  const what =
    firstKeptEntryId === undefined ? "names no entry" : `names ${valueText(firstKeptEntryId)}, which is not on its path`
  const message = `Compaction ${id} ${what} as the first that it keeps; nothing before it is kept.`
  return { kind: "unknown-compaction-boundary", entryId: id, message }
}
