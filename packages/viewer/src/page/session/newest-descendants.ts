import type { EntryTree } from "@treelog/session-core/adapter"

/** For each entry the one below it, or itself, that was appended last, leaf marks apart. Linear: each entry is met once on the ways upwards. */
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
