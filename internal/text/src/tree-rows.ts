/** A node of a tree of which some nodes are shown. Its children are the nearest shown descendants. */
export interface ShownNode<Node> {
  readonly children: Node[]
}

/**
 * The shown part of a tree. Not recursive: chains can have any length.
 * @param show makes the node to show, below the nearest shown ancestor; undefined for a node that is not shown
 */
export function shownTree<Source, Node extends ShownNode<Node>>(
  roots: readonly Source[],
  childrenOf: (source: Source) => readonly Source[],
  show: (source: Source, parent: Node | undefined) => Node | undefined,
): Node[] {
  const shown: Node[] = []
  const open: { source: Source; parent: Node | undefined }[] = []
  const visitLater = (sources: readonly Source[], parent: Node | undefined): void => {
    for (let at = sources.length - 1; at >= 0; at--) open.push({ source: sources[at] as Source, parent })
  }
  visitLater(roots, undefined)
  for (let next = open.pop(); next; next = open.pop()) {
    const node = show(next.source, next.parent)
    if (node) (next.parent?.children ?? shown).push(node)
    visitLater(childrenOf(next.source), node ?? next.parent)
  }
  return shown
}

/** One line of a drawn tree: `rails` lead to it, and where a side branch begins, a tee or a corner ends them. */
export interface TreeRow<Node> {
  readonly node: Node
  readonly rails: Rails
  readonly begins: "tee" | "corner" | undefined
  /** Whether a branch begins here: at a side branch, or where the conversation continues below some. */
  readonly isBranch: boolean
}

/** The vertical lines left of a row: whether each of the branches beside which it hangs continues below. Innermost first. */
export interface Rails {
  readonly depth: number
  readonly goesOn: boolean
  readonly outer: Rails | undefined
}

const NO_RAILS: Rails = { depth: 0, goesOn: false, outer: undefined }

interface OpenRow<Node> {
  readonly row: TreeRow<Node>
  /** Of what is below it. */
  readonly inner: Rails
}

/**
 * The rows of a tree from top to bottom. The current path stays in the first column; where it branched, the other branches
 * hang one step to the right, before it continues. In a side branch, the newest continues straight. Not recursive.
 * @param isFolded what is below the node of such a row has no rows
 */
export function* treeRows<Node extends ShownNode<Node>>(
  roots: readonly Node[],
  isOnPath: (node: Node) => boolean,
  isFolded: (row: TreeRow<Node>) => boolean,
): Generator<TreeRow<Node>> {
  const open: OpenRow<Node>[] = []
  visitLater(open, roots, NO_RAILS, roots.find(isOnPath) ?? roots.at(-1))
  for (let next = open.pop(); next; next = open.pop()) {
    const { row, inner } = next
    yield row
    if (isFolded(row)) continue
    const { children } = row.node
    // Below the end of the current path none continues: the others branch off.
    visitLater(open, children, inner, isOnPath(row.node) ? children.find(isOnPath) : children.at(-1))
  }
}

function visitLater<Node>(
  open: OpenRow<Node>[],
  nodes: readonly Node[],
  rails: Rails,
  straight: Node | undefined,
): void {
  if (straight)
    open.push({ row: { node: straight, rails, begins: undefined, isBranch: nodes.length > 1 }, inner: rails })
  let goesOn = straight !== undefined
  for (let at = nodes.length - 1; at >= 0; at--) {
    const node = nodes[at] as Node
    if (node === straight) continue
    const inner = { depth: rails.depth + 1, goesOn, outer: rails }
    open.push({ row: { node, rails, begins: goesOn ? "tee" : "corner", isBranch: true }, inner })
    goesOn = true
  }
}
