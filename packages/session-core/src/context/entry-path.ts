import type { SessionEntry } from "../entry/entry.js"

/**
 * The entries from a root to a leaf, read lazily: `type` and `id` come from entry heads, `entry` may have to read and parse.
 */
export interface EntryPath {
  readonly length: number
  type(index: number): string
  id(index: number): string
  entry(index: number): SessionEntry
}

/** Reads the entries of a path from index `from` up to `to` (exclusive), or to the leaf. */
export function entriesOf(path: EntryPath, from = 0, to = path.length): SessionEntry[] {
  return Array.from({ length: Math.max(0, to - from) }, (_, index) => path.entry(from + index))
}

export function pathOfEntries(entries: readonly SessionEntry[]): EntryPath {
  const at = (index: number): SessionEntry => {
    const entry = entries[index]
    if (!entry) throw new RangeError(`A path of ${entries.length} entries has none at ${index}.`)
    return entry
  }
  return { length: entries.length, type: (index) => at(index).type, id: (index) => at(index).id, entry: at }
}
