import { type TreeRow as DrawnRow, isShownBy, shownTree, type TreeFilter, treeRows } from "@treelog-internal/text"
import type { PageSession } from "./page-session.js"

export interface TreeRow {
  readonly ordinal: number
  /** The column. The chosen branch stays in its own; each branch beside it is one column further right. */
  readonly depth: number
  /** Whether a branch beside the chosen one starts here. */
  readonly begins: boolean
  /** Whether it is the last row of its branch. */
  readonly ends: boolean
  readonly onPath: boolean
  /** Whether the branch that starts here is collapsed. */
  readonly isFolded: boolean
}

interface ShownEntry {
  readonly ordinal: number
  readonly children: ShownEntry[]
}

/**
 * The rows of a tree from top to bottom.
 * @param chosen the ordinals of the chosen branch
 * @param folded the first entries of collapsed branches
 */
export function rowsOfTree(
  session: PageSession,
  filter: TreeFilter,
  chosen: ReadonlySet<number>,
  folded: ReadonlySet<number>,
): TreeRow[] {
  const isShown = (ordinal: number): boolean => {
    const { part, id } = session.summary(ordinal)
    return isShownBy(filter, part, session.labels.get(id)?.label)
  }
  const roots = shownTree<number, ShownEntry>(
    session.roots(),
    (ordinal) => session.childrenOf(ordinal),
    (ordinal) => (isShown(ordinal) ? { ordinal, children: [] } : undefined),
  )
  const isOnPath = ({ ordinal }: ShownEntry): boolean => chosen.has(ordinal)
  const isFolded = ({ node, begins }: DrawnRow<ShownEntry>): boolean => begins !== undefined && folded.has(node.ordinal)
  const rows: TreeRow[] = []
  for (const row of treeRows(roots, isOnPath, isFolded)) {
    const { node, rails, begins } = row
    rows.push({
      ordinal: node.ordinal,
      depth: rails.depth + (begins ? 1 : 0),
      begins: begins !== undefined,
      ends: node.children.length === 0 || isFolded(row),
      onPath: isOnPath(node),
      isFolded: isFolded(row),
    })
  }
  return rows
}
