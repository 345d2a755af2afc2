import type { EntryTree } from "@treelog/session-core/adapter"

/** For each entry its newest descendant, or itself, without leaf markers. Linear time: each entry is visited once. */
export function newestDescendants(tree: EntryTree, count: number, leafMarkers: ReadonlySet<number>): Int32Array {
  const newest = new Int32Array(count).fill(-1)
  for (let ordinal = count - 1; ordinal >= 0; ordinal--) {
    if (leafMarkers.has(ordinal)) continue
    for (let at: number | undefined = ordinal; at !== undefined && newest[at] === -1; at = tree.parentOf(at))
      newest[at] = ordinal
  }
  for (const ordinal of leafMarkers) if (newest[ordinal] === -1) newest[ordinal] = ordinal
  return newest
}
