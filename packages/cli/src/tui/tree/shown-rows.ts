import { promptTerms } from "@treelog/session-core/prompt-history"
import { shownLeaf } from "../../render/shown-leaf.js"
import type { ShownLeaf } from "../../render/tree-lines.js"
import { type TreeRow, treeRows } from "../../render/tree-rows.js"
import { type TreeFilter, treeView, type ViewNode } from "../../render/tree-view.js"
import type { TextField } from "../frame/text-field.js"
import type { TreeData } from "./tree-data.js"
import type { TreeSearch } from "./tree-search.js"

/** What is to be shown of a tree. */
export interface TreeChoices {
  readonly data: TreeData
  readonly filter: TreeFilter
  readonly query: TextField
  readonly search: TreeSearch
  /** Ids of entries below which nothing is shown, unless something is looked for. */
  readonly folded: ReadonlySet<string>
}

export interface ShownRows {
  readonly rows: readonly TreeRow[]
  /** Rows that each folded node hides. */
  readonly hidden: ReadonlyMap<ViewNode, number>
  readonly leaf: ShownLeaf | undefined
}

/** The rows that a filter, a query and the folds leave. */
export function shownRows({ data, filter, query, search, folded }: TreeChoices): ShownRows {
  const terms = promptTerms(query.text)
  const view = treeView(data.roots, filter, (node) => search.holds(node, terms))
  const hidden = new Map<ViewNode, number>()
  const isFolded = (node: ViewNode): boolean => {
    if (terms.length > 0 || node.children.length === 0 || !folded.has(node.entry.id)) return false
    hidden.set(node, countBelow(node))
    return true
  }
  const rows: TreeRow[] = [...treeRows(view, isFolded)]
  return { rows, hidden, leaf: leafIn(rows, shownLeaf(view, data.branch, data.active)) }
}

/** Where the leaf is shown when a branch is folded that it lies in. */
function leafIn(rows: readonly TreeRow[], leaf: ShownLeaf | undefined): ShownLeaf | undefined {
  if (!leaf) return undefined
  const shown = new Set(rows.map(({ node }) => node))
  let { node, below } = leaf
  while (!shown.has(node) && node.parent) {
    node = node.parent
    below = true
  }
  return { node, below }
}

/** Not recursive. */
function countBelow(node: ViewNode): number {
  const open = [...node.children]
  let count = 0
  for (let next = open.pop(); next; next = open.pop()) {
    count += 1
    for (const child of next.children) open.push(child)
  }
  return count
}
