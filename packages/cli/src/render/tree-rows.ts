import type { SessionEntry } from "@treelog/session-core"
import type { ViewNode } from "./tree-view.js"

/** One line of a drawn tree: `rails` lead to it, and where a side branch begins, a tee or a corner ends them. */
export interface TreeRow {
  readonly node: ViewNode
  readonly rails: Rails
  readonly begins: "tee" | "corner" | undefined
  /** Whether a branch begins here: at a side branch, or where the conversation goes on below some. */
  readonly isBranch: boolean
}

/** The vertical lines left of a row: whether each of the branches beside which it hangs goes on below. Innermost first. */
export interface Rails {
  readonly depth: number
  readonly goesOn: boolean
  readonly outer: Rails | undefined
}

interface OpenRow {
  readonly row: TreeRow
  /** Of what is below it. */
  readonly inner: Rails
}

const NO_RAILS: Rails = { depth: 0, goesOn: false, outer: undefined }

/**
 * The rows of a tree from top to bottom. The current path stays in the first column; where it branched, the other branches
 * hang one step to the right, before it goes on. In a side branch, the newest goes on straight. Not recursive.
 * @param active the entries of the current path
 * @param isFolded what is below such a node has no rows
 */
export function* treeRows(
  roots: readonly ViewNode[],
  active: ReadonlySet<SessionEntry>,
  isFolded: (node: ViewNode) => boolean = () => false,
): Generator<TreeRow> {
  const open: OpenRow[] = []
  visitLater(open, roots, NO_RAILS, straightRoot(roots, active))
  for (let next = open.pop(); next; next = open.pop()) {
    const { row, inner } = next
    yield row
    if (!isFolded(row.node)) visitLater(open, row.node.children, inner, straightChild(row.node, active))
  }
}

function visitLater(open: OpenRow[], nodes: readonly ViewNode[], rails: Rails, straight: ViewNode | undefined): void {
  if (straight)
    open.push({ row: { node: straight, rails, begins: undefined, isBranch: nodes.length > 1 }, inner: rails })
  let goesOn = straight !== undefined
  for (let index = nodes.length - 1; index >= 0; index--) {
    const node = nodes[index]
    if (!node || node === straight) continue
    const inner = { depth: rails.depth + 1, goesOn, outer: rails }
    open.push({ row: { node, rails, begins: goesOn ? "tee" : "corner", isBranch: true }, inner })
    goesOn = true
  }
}

/** The one in whose column the parent's goes on. Below the end of the current path there is none: the others hang beside it. */
function straightChild({ entry, children }: ViewNode, active: ReadonlySet<SessionEntry>): ViewNode | undefined {
  return active.has(entry) ? children.find((child) => active.has(child.entry)) : children.at(-1)
}

function straightRoot(roots: readonly ViewNode[], active: ReadonlySet<SessionEntry>): ViewNode | undefined {
  return roots.find(({ entry }) => active.has(entry)) ?? roots.at(-1)
}
