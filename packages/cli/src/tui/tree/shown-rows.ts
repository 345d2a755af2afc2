import { contentText, type Session, type SessionEntry, type SessionTreeNode } from "@treelog/session-core"
import type { Cost } from "@treelog/session-core/search"
import { foldText, plainTerms } from "@treelog/session-core/search"
import { entryLine, isObject, type TreeFilter, type TreeRow } from "@treelog-internal/text"
import { shortEntryIds } from "../../render/short-ids.js"
import { type ShownLeaf, shownLeaf, treeView, type ViewNode, viewRows } from "../../render/tree-lines.js"
import type { TextField } from "../frame/text-field.js"

/** What a tree view depends on. */
export interface TreeChoices {
  readonly data: TreeData
  readonly filter: TreeFilter
  readonly query: TextField
  readonly search: TreeSearch
  /** Ids of entries below which nothing is shown, unless something is looked for. */
  readonly folded: ReadonlySet<string>
}

export interface ShownRows {
  readonly rows: readonly TreeRow<ViewNode>[]
  /** Rows that each folded node hides. */
  readonly hidden: ReadonlyMap<ViewNode, number>
  readonly leaf: ShownLeaf | undefined
}

/** The rows after filter, query and folds. */
export function shownRows({ data, filter, query, search, folded }: TreeChoices): ShownRows {
  const terms = plainTerms(query.text)
  const view = treeView(data.roots, filter, (node) => search.holds(node, terms))
  const hidden = new Map<ViewNode, number>()
  const isFolded = (node: ViewNode): boolean => {
    if (terms.length > 0 || node.children.length === 0 || !folded.has(node.entry.id)) return false
    hidden.set(node, countBelow(node))
    return true
  }
  const rows: TreeRow<ViewNode>[] = [...viewRows(view, data.active, isFolded)]
  return { rows, hidden, leaf: leafIn(rows, shownLeaf(view, data.branch, data.active)) }
}

/** Where the leaf is shown when its branch is folded. */
function leafIn(rows: readonly TreeRow<ViewNode>[], leaf: ShownLeaf | undefined): ShownLeaf | undefined {
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

export interface TreeData {
  readonly roots: readonly SessionTreeNode[]
  /** From the root to the leaf. */
  readonly branch: readonly SessionEntry[]
  readonly active: ReadonlySet<SessionEntry>
  /** The entry above each that has one, by their ids. */
  readonly parents: ReadonlyMap<string, string>
  readonly shortId: (id: string) => string
  /** What an entry cost; undefined where it reports no usage. */
  readonly costOf: (entry: SessionEntry) => Cost | undefined
}

export function treeData(session: Session, costOf: TreeData["costOf"] = () => undefined): TreeData {
  const branch = session.getBranch()
  const roots = session.getTree()
  return { roots, branch, active: new Set(branch), parents: parentsIn(roots), shortId: shortEntryIds(session), costOf }
}

/** Not recursive. */
function parentsIn(roots: readonly SessionTreeNode[]): Map<string, string> {
  const parents = new Map<string, string>()
  const open = [...roots]
  for (let node = open.pop(); node; node = open.pop()) {
    for (const child of node.children) {
      parents.set(child.entry.id, node.entry.id)
      open.push(child)
    }
  }
  return parents
}

/** UTF-16 units of an entry that are searched: a tool's result may be a whole file. */
const SEARCHED = 4000

/** Finds nodes by their label, by role, and by text. Each is read when it is first searched, and cached. */
export class TreeSearch {
  readonly #folded = new WeakMap<SessionTreeNode, string>()

  /** @param terms folded */
  holds(node: SessionTreeNode, terms: readonly string[]): boolean {
    if (terms.length === 0) return true
    const known = this.#folded.get(node) ?? searchedText(node)
    this.#folded.set(node, known)
    return terms.every((term) => known.includes(term))
  }
}

function searchedText({ entry, label = "" }: SessionTreeNode): string {
  const { who, text } = entryLine(entry)
  const { message } = entry as { message?: unknown }
  const whole = isObject(message) ? contentText(message.content).slice(0, SEARCHED) : ""
  return foldText([label, entry.id, who, text, whole].join("\n"))
}
