import { isEntry, type SessionEntry } from "../entry/entry.js"
import type { EntryTree } from "./entry-tree.js"

/** The custom type of the entry that treelog appends to make a bare `branch()` survive a reload. */
export const LEAF_MARKER = "treelog.leaf"

/** Whether an entry only records the leaf: a leaf marker of treelog, or pi agent-core's `leaf`. It is not part of the conversation. */
export function isLeafMarker(entry: SessionEntry): boolean {
  return isEntry(entry, "leaf") || (isEntry(entry, "custom") && entry.customType === LEAF_MARKER)
}

/**
 * The leaf of a session after an entry was read (FORMAT.md, section 5): that entry, or, for pi agent-core's `leaf`, its target. An
 * unknown target does not change the leaf.
 */
export function leafAfter(entry: SessionEntry, leafId: string | null, tree: Pick<EntryTree, "has">): string | null {
  if (!isEntry(entry, "leaf")) return entry.id
  if (entry.targetId === null) return null
  return tree.has(entry.targetId) ? entry.targetId : leafId
}
