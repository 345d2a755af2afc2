import type { EntryTree } from "@treelog/session-core"

/** For each entry the one below it, or itself, that was appended last. Linear: each entry is met once on the ways upwards. */
export function newestDescendants(tree: EntryTree, count: number): Int32Array {
  const newest = new Int32Array(count).fill(-1)
  for (let ordinal = count - 1; ordinal >= 0; ordinal--) {
    for (let at: number | undefined = ordinal; at !== undefined && newest[at] === -1; at = tree.parentOf(at))
      newest[at] = ordinal
  }
  return newest
}
