import type { SessionEntry, SessionTreeNode } from "@treelog/session-core"
import { kindOf } from "@treelog/session-core/adapter"
import {
  cleanLine,
  entryLine,
  isShownBy,
  paintOf,
  type Rails,
  type Style,
  shownTree,
  type TreeFilter,
  type TreeRow,
  treePartOf,
  treeRows,
} from "@treelog-internal/text"
import { truncated, widthOf } from "./width.js"

/** A node that is shown. Its children are the nearest shown descendants of the entry. */
export interface ViewNode {
  readonly entry: SessionEntry
  readonly label: string | undefined
  /** Undefined where no ancestor is shown. */
  readonly parent: ViewNode | undefined
  readonly children: ViewNode[]
}

/** The shown part of a tree. @param isWanted a further condition for nodes */
export function treeView(
  roots: readonly SessionTreeNode[],
  filter: TreeFilter,
  isWanted: (node: SessionTreeNode) => boolean = () => true,
): ViewNode[] {
  return shownTree<SessionTreeNode, ViewNode>(
    roots,
    ({ children }) => children,
    (node, parent) => {
      const { entry, label } = node
      const isShown = isShownBy(filter, treePartOf(entry), label) && isWanted(node)
      return isShown ? { entry, label, parent, children: [] } : undefined
    },
  )
}

interface TreeLinesOptions {
  readonly style: Style
  readonly shortId: (id: string) => string
  readonly active: ReadonlySet<SessionEntry>
  readonly leaf: ShownLeaf | undefined
  /** Shown after a node, and never cut. */
  readonly remark?: (node: ViewNode) => string
}

/** Where the leaf is shown: at itself, or at the nearest entry above it that is shown. */
export interface ShownLeaf {
  readonly node: ViewNode
  /** Whether a part of the conversation between them is not shown. */
  readonly below: boolean
}

/** Deeper branches are drawn with the innermost lines only, behind the number of those that are left out. */
const MAX_RAILS = 20
const COLUMNS_PER_RAIL = 2
const MAX_TEXT = 200
/** Vertical lines leave at least this much of a line for the text, or half of a narrow screen. */
const LEAST_TEXT = 40

/** The rows of a tree. @param isFolded what is below such a node has no rows */
export function viewRows(
  roots: readonly ViewNode[],
  active: ReadonlySet<SessionEntry>,
  isFolded: (node: ViewNode) => boolean = () => false,
): Iterable<TreeRow<ViewNode>> {
  const isActive = ({ entry }: ViewNode): boolean => active.has(entry)
  return treeRows(roots, isActive, ({ node }) => isFolded(node))
}

export function* treeLines(roots: readonly ViewNode[], options: TreeLinesOptions): Generator<string> {
  const { active } = options
  for (const row of viewRows(roots, active)) yield treeLine(row, options)
}

export function treeLine({ node, rails, begins }: TreeRow<ViewNode>, options: TreeLinesOptions): string {
  const { style, shortId, active, leaf } = options
  const { glyphs } = style
  const { who, text } = entryLine(node.entry)
  const isActive = active.has(node.entry)
  const mark = markOf(node.entry, isActive, style)
  const id = cleanLine(shortId(node.entry.id))
  const label = node.label === undefined ? "" : `[${cleanLine(node.label)}] `
  const here = node === leaf?.node ? `  ${glyphs.leaf} leaf${leaf.below ? " below" : ""}` : ""
  const end = `${otherContent(node)}${options.remark?.(node) ?? ""}${here}`
  const head = `${mark} ${id} ${who}  `
  const lines = railsText(rails, begins, style, railsRoom(style.width, head))
  const before = `${lines}${head}${label}`
  const room = style.width === undefined ? MAX_TEXT : Math.max(0, style.width - widthOf(before) - widthOf(end))
  const said = truncated(text, room, glyphs.ellipsis)
  return [
    style.paint("dim", lines),
    style.paint(isActive ? ["bold", paintOf(who)] : "dim", mark),
    ` ${style.paint("dim", id)} `,
    `${style.paint(isActive ? paintOf(who) : "dim", who)}  `,
    style.paint(["bold", "yellow"], label),
    isActive ? said : style.paint("dim", said),
    style.paint("bold", end),
  ]
    .join("")
    .trimEnd()
}

/** Where a branch begins that was brought by an import under ids that had another content. */
function otherContent({ entry, parent }: ViewNode): string {
  const isFirst = "otherContentOf" in entry && !(parent && "otherContentOf" in parent.entry)
  return isFirst ? `  another content of ${cleanLine(String(entry.otherContentOf))}` : ""
}

function markOf({ type }: SessionEntry, isActive: boolean, { glyphs }: Style): string {
  if (type === "compaction") return isActive ? glyphs.compactionOn : glyphs.compactionOff
  return isActive ? glyphs.on : glyphs.off
}

/** The columns that vertical lines may take. */
function railsRoom(width: number | undefined, head: string): number {
  if (width === undefined) return MAX_RAILS * COLUMNS_PER_RAIL
  return width - widthOf(head) - Math.min(LEAST_TEXT, Math.floor(width / 2))
}

/** The vertical lines that lead to a row, the innermost where not all fit: then they follow the number of the others. */
function railsText(rails: Rails, begins: TreeRow<ViewNode>["begins"], { glyphs }: Style, room: number): string {
  const end = begins ? glyphs[begins] : ""
  const hidden = (drawn: number): string => (rails.depth > drawn ? `${glyphs.ellipsis}${rails.depth - drawn} ` : "")
  let drawn = Math.min(rails.depth, MAX_RAILS)
  while (drawn > 0 && widthOf(hidden(drawn) + end) + drawn * COLUMNS_PER_RAIL > room) drawn -= 1
  let text = ""
  let at: Rails | undefined = rails
  for (let count = 0; at?.outer && count < drawn; count += 1) {
    text = (at.goesOn ? glyphs.rail : "  ") + text
    at = at.outer
  }
  return hidden(drawn) + text + end
}

/**
 * Where the leaf is shown.
 * @param branch the entries from the root to the leaf
 * @param active the same
 */
export function shownLeaf(
  roots: readonly ViewNode[],
  branch: readonly SessionEntry[],
  active: ReadonlySet<SessionEntry>,
): ShownLeaf | undefined {
  let node: ViewNode | undefined
  let next = roots.find(({ entry }) => active.has(entry))
  while (next) {
    node = next
    next = next.children.find(({ entry }) => active.has(entry))
  }
  return (
    node && {
      node,
      below: branch.slice(branch.lastIndexOf(node.entry) + 1).some((entry) => kindOf(entry).conversation),
    }
  )
}
