import type { Viewer } from "../viewer.js"

/** The tree row of the current entry; if the filter hides it, the nearest row above it on the branch. -1 if there is none. */
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
