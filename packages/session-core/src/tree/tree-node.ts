import type { SessionEntry } from "../entry/entry.js"
import { type EntryTree, sortedByTime } from "./entry-tree.js"
import type { Labels } from "./labels.js"

/** A node of `getTree()`. */
export interface SessionTreeNode {
  /** Read on first access, if the entry has not been read yet. */
  readonly entry: SessionEntry
  readonly children: SessionTreeNode[]
  readonly label?: string
  /** ISO 8601: when the label was set. */
  readonly labelTimestamp?: string
}

/** The whole tree as nested nodes: roots in file order, children by timestamp, then file order. Not recursive. */
export function buildTree(
  tree: EntryTree,
  labels: Labels,
  entryAt: (ordinal: number) => SessionEntry,
): SessionTreeNode[] {
  const nodes: TreeNode[] = []
  for (let ordinal = 0; ordinal < tree.size; ordinal++) {
    const label = labels.get(tree.headAt(ordinal).id)
    const node = new TreeNode(ordinal, entryAt)
    nodes.push(label ? Object.assign(node, { label: label.label, labelTimestamp: label.timestamp }) : node)
  }
  const roots: TreeNode[] = []
  nodes.forEach((node, ordinal) => {
    const parent = nodes[tree.parentOf(ordinal) ?? -1]
    ;(parent?.children ?? roots).push(node)
  })
  for (const node of nodes) {
    if (node.children.length > 1)
      node.children = sortedByTime(node.children, ({ ordinal }) => tree.headAt(ordinal).timestamp)
  }
  return roots
}

/** `entry` is an own property, so that copies of a node and its JSON contain it. */
class TreeNode implements SessionTreeNode {
  declare readonly entry: SessionEntry
  children: TreeNode[] = []
  readonly #ordinal: number
  readonly #entryAt: (ordinal: number) => SessionEntry

  constructor(ordinal: number, entryAt: (ordinal: number) => SessionEntry) {
    this.#ordinal = ordinal
    this.#entryAt = entryAt
    Object.defineProperty(this, "entry", TreeNode.#ENTRY)
  }

  static readonly #ENTRY = {
    enumerable: true,
    get(this: TreeNode): SessionEntry {
      return this.#entryAt(this.#ordinal)
    },
  }

  get ordinal(): number {
    return this.#ordinal
  }
}
