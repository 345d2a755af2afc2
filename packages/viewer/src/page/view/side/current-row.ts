import type { Viewer } from "../viewer.js"

/** Where the entry that one is at stands in the tree, now; of one that the filter hides, the nearest row above on the branch. -1: nowhere. */
export function currentRow({
  current,
  branch: {
    tree,
    rows: { rowOf },
  },
}: Viewer): number {
  if (current === undefined) return -1
  const exact = tree.findIndex(({ ordinal }) => ordinal === current)
  const place = rowOf.get(current)
  if (exact >= 0 || place === undefined) return exact
  return tree.findLastIndex(
    ({ ordinal, onPath }) => onPath && (rowOf.get(ordinal) ?? Number.POSITIVE_INFINITY) <= place,
  )
}
