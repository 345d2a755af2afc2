import type { SessionEntry } from "../entry/entry.js"
import { millisOf } from "../entry/time.js"
import type { EntryTree } from "./entry-tree.js"
import type { Labels } from "./labels.js"

/** A node of `getTree()`. */
export interface SessionTreeNode {
  readonly entry: SessionEntry
  readonly children: SessionTreeNode[]
  readonly label?: string
  /** ISO 8601: when the label was set. */
  readonly labelTimestamp?: string
}

/**
 * The whole tree as nested nodes: roots in file order, children by timestamp, then file order. Not recursive.
 * @param entries those that the tree was made of, in the same order
 */
export function buildTree(tree: EntryTree, labels: Labels, entries: readonly SessionEntry[]): SessionTreeNode[] {
  const nodes = entries.map((entry) => treeNode(entry, labels))
  const roots: SessionTreeNode[] = []
  nodes.forEach((node, ordinal) => {
    const parent = tree.parentOf(ordinal)
    const siblings = parent === undefined ? roots : nodes[parent]?.children
    siblings?.push(node)
  })
  for (const { children } of nodes) if (children.length > 1) sortByTime(children)
  return roots
}

function treeNode(entry: SessionEntry, labels: Labels): SessionTreeNode {
  const label = labels.get(entry.id)
  if (!label) return { entry, children: [] }
  return { entry, children: [], label: label.label, labelTimestamp: label.timestamp }
}

function sortByTime(nodes: SessionTreeNode[]): void {
  const times = new Map(nodes.map((node) => [node, millisOf(node.entry.timestamp)]))
  nodes.sort((a, b) => (times.get(a) ?? 0) - (times.get(b) ?? 0))
}
