import type { SessionEntry, SessionTreeNode } from "@treelog/session-core"
import { isShownBy, shownTree, type TreeFilter, treePartOf } from "@treelog-internal/text"

/** A node that is shown. Its children are the nearest shown descendants of the entry. */
export interface ViewNode {
  readonly entry: SessionEntry
  readonly label: string | undefined
  /** Undefined where no ancestor is shown. */
  readonly parent: ViewNode | undefined
  readonly children: ViewNode[]
}

/**
 * The shown part of a tree.
 * @param isWanted a further condition for nodes
 */
export function treeView(
  roots: readonly SessionTreeNode[],
  filter: TreeFilter,
  isWanted: (node: SessionTreeNode) => boolean = () => true,
): ViewNode[] {
  return shownTree<SessionTreeNode, ViewNode>(
    roots,
    ({ children }) => children,
    (node, parent) => {
      const { entry, label } = node
      const isShown = isShownBy(filter, treePartOf(entry), label) && isWanted(node)
      return isShown ? { entry, label, parent, children: [] } : undefined
    },
  )
}
