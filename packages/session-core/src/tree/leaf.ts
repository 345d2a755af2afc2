import { isEntry, type SessionEntry } from "../entry/entry.js"

/** The custom type of the entry that treelog appends to make a bare `branch()` survive a reload. */
export const LEAF_MARKER = "treelog.leaf"

/** Whether an entry only records the leaf: a leaf marker of treelog, or pi agent-core's `leaf`. It is not part of the conversation. */
export function isLeafMarker(entry: SessionEntry): boolean {
  return isEntry(entry, "leaf") || (isEntry(entry, "custom") && entry.customType === LEAF_MARKER)
}
