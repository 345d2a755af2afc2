import { kindOf, type SessionEntry, type SessionTreeNode } from "@treelog/session-core"
import { blocksOf, isObject } from "@treelog-internal/text"

export const TREE_FILTERS = ["default", "no-tools", "user-only", "labeled-only", "all"] as const

export type TreeFilter = (typeof TREE_FILTERS)[number]

/** A node that is shown. Its children are the nearest shown descendants of the entry. */
export interface ViewNode {
  readonly entry: SessionEntry
  readonly label: string | undefined
  /** Undefined where no ancestor is shown. */
  readonly parent: ViewNode | undefined
  readonly children: ViewNode[]
}

/**
 * The shown part of a tree. Not recursive: chains can have any length.
 * @param isWanted a further condition for nodes
 */
export function treeView(
  roots: readonly SessionTreeNode[],
  filter: TreeFilter,
  isWanted: (node: SessionTreeNode) => boolean = () => true,
): ViewNode[] {
  const shows = FILTERS[filter]
  const view: ViewNode[] = []
  const open: { node: SessionTreeNode; parent: ViewNode | undefined }[] = []
  const visitLater = (nodes: readonly SessionTreeNode[], parent: ViewNode | undefined): void => {
    for (let index = nodes.length - 1; index >= 0; index--) {
      const node = nodes[index]
      if (node) open.push({ node, parent })
    }
  }
  visitLater(roots, undefined)
  for (let next = open.pop(); next; next = open.pop()) {
    const { node, parent } = next
    let above = parent
    if (shows(node) && isWanted(node)) {
      above = { entry: node.entry, label: node.label, parent, children: [] }
      ;(parent?.children ?? view).push(above)
    }
    visitLater(node.children, above)
  }
  return view
}

const FILTERS: Readonly<Record<TreeFilter, (node: SessionTreeNode) => boolean>> = {
  default: ({ entry }) => kindOf(entry).conversation,
  "no-tools": ({ entry }) => kindOf(entry).conversation && !isToolUse(entry),
  "user-only": ({ entry }) => messageOf(entry)?.role === "user",
  "labeled-only": ({ label }) => label !== undefined,
  all: () => true,
}

/** A tool's result, or an answer that consists of nothing but calls. */
function isToolUse(entry: SessionEntry): boolean {
  const message = messageOf(entry)
  if (message?.role === "toolResult") return true
  if (message?.role !== "assistant") return false
  const blocks = blocksOf(message.content).filter(({ type, text }) => type !== "thinking" && text !== "")
  return blocks.length > 0 && blocks.every(({ type }) => type === "toolCall")
}

function messageOf(entry: SessionEntry): Readonly<Record<string, unknown>> | undefined {
  const { message } = entry as { message?: unknown }
  return entry.type === "message" && isObject(message) ? message : undefined
}
