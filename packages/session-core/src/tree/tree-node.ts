import type { SessionEntry } from "../entry/entry.js"
import { millisOf } from "../entry/time.js"
import type { EntryTree } from "./entry-tree.js"
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

/** Returns the entry with an ordinal. */
export type EntryAt = (ordinal: number) => SessionEntry

/** The whole tree as nested nodes: roots in file order, children by timestamp, then file order. Not recursive. */
export function buildTree(tree: EntryTree, labels: Labels, entryAt: EntryAt): SessionTreeNode[] {
  const nodes: TreeNode[] = []
  for (let ordinal = 0; ordinal < tree.size; ordinal++) {
    const label = labels.get(tree.headAt(ordinal).id)
    const node = new TreeNode(ordinal, entryAt)
    nodes.push(label ? Object.assign(node, { label: label.label, labelTimestamp: label.timestamp }) : node)
  }
  const roots: TreeNode[] = []
  nodes.forEach((node, ordinal) => {
    const parent = tree.parentOf(ordinal)
    const siblings = parent === undefined ? roots : nodes[parent]?.children
    siblings?.push(node)
  })
  for (const { children } of nodes) if (children.length > 1) sortByTime(children, tree)
  return roots
}

/** `entry` is an own property, so that copies of a node and its JSON contain it. */
class TreeNode implements SessionTreeNode {
  declare readonly entry: SessionEntry
  readonly children: TreeNode[] = []
  readonly #ordinal: number
  readonly #entryAt: EntryAt

  constructor(ordinal: number, entryAt: EntryAt) {
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

function sortByTime(nodes: TreeNode[], tree: EntryTree): void {
  const times = new Map(nodes.map((node) => [node, millisOf(tree.headAt(node.ordinal).timestamp)]))
  nodes.sort((a, b) => (times.get(a) ?? 0) - (times.get(b) ?? 0))
}
