import type { ViewNode } from "./tree-view.js"

/** One line of a drawn tree: `rails` lead to it, and where a branch begins, a tee or a corner ends them. */
export interface TreeRow {
  readonly node: ViewNode
  readonly rails: Rails
  readonly begins: "tee" | "corner" | undefined
}

/** The vertical lines left of a row: whether each of the branches that it lies in goes on below. Innermost first. */
export interface Rails {
  readonly depth: number
  readonly goesOn: boolean
  readonly outer: Rails | undefined
}

/**
 * The rows of a tree from top to bottom. A chain stays in its column; where the conversation branched, each branch goes
 * one step to the right. Not recursive.
 * @param isFolded what is below such a node has no rows
 */
export function* treeRows(
  roots: readonly ViewNode[],
  isFolded: (node: ViewNode) => boolean = () => false,
): Generator<TreeRow> {
  const open: { row: TreeRow; inner: Rails }[] = []
  const visitLater = (nodes: readonly ViewNode[], rails: Rails): void => {
    for (let index = nodes.length - 1; index >= 0; index--) {
      const node = nodes[index]
      if (!node) continue
      if (nodes.length === 1) open.push({ row: { node, rails, begins: undefined }, inner: rails })
      else {
        const goesOn = index < nodes.length - 1
        const inner = { depth: rails.depth + 1, goesOn, outer: rails }
        open.push({ row: { node, rails, begins: goesOn ? "tee" : "corner" }, inner })
      }
    }
  }
  visitLater(roots, NO_RAILS)
  for (let next = open.pop(); next; next = open.pop()) {
    yield next.row
    if (!isFolded(next.row.node)) visitLater(next.row.node.children, next.inner)
  }
}

const NO_RAILS: Rails = { depth: 0, goesOn: false, outer: undefined }
