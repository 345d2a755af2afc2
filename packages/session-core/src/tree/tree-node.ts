import type { SessionEntry } from "../entry/entry.js"
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

/** The whole tree as nested nodes: roots in file order, children by timestamp, then file order. Not recursive. */
export function buildTree(
  tree: EntryTree,
  labels: Labels,
  entryAt: (ordinal: number) => SessionEntry,
): SessionTreeNode[] {
  const roots: SessionTreeNode[] = []
  const open: { ordinals: readonly number[]; into: SessionTreeNode[] }[] = [{ ordinals: tree.roots(), into: roots }]
  for (let next = open.pop(); next; next = open.pop()) {
    for (const ordinal of next.ordinals) {
      const node = treeNode(entryAt(ordinal), labels)
      next.into.push(node)
      const ordinals = tree.childrenOf(ordinal)
      if (ordinals.length > 0) open.push({ ordinals, into: node.children })
    }
  }
  return roots
}

function treeNode(entry: SessionEntry, labels: Labels): SessionTreeNode {
  const label = labels.get(entry.id)
  return { entry, children: [], ...(label && { label: label.label, labelTimestamp: label.timestamp }) }
}
