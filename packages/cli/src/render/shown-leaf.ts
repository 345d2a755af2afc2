import { kindOf, type SessionEntry } from "@treelog/session-core"
import type { ShownLeaf } from "./tree-lines.js"
import type { ViewNode } from "./tree-view.js"

/**
 * Where the leaf is shown.
 * @param branch the entries from the root to the leaf
 * @param active the same
 */
export function shownLeaf(
  roots: readonly ViewNode[],
  branch: readonly SessionEntry[],
  active: ReadonlySet<SessionEntry>,
): ShownLeaf | undefined {
  let node: ViewNode | undefined
  let next = roots.find(({ entry }) => active.has(entry))
  while (next) {
    node = next
    next = next.children.find(({ entry }) => active.has(entry))
  }
  return (
    node && {
      node,
      below: branch.slice(branch.lastIndexOf(node.entry) + 1).some((entry) => kindOf(entry).conversation),
    }
  )
}
