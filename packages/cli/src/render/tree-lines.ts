import { kindOf, type SessionEntry } from "@treelog/session-core"
import { cleanLine, entryLine, paintOf, type Style } from "@treelog-internal/text"
import type { ViewNode } from "./tree-view.js"
import { truncated, widthOf } from "./width.js"

export interface TreeLinesOptions {
  readonly style: Style
  /** What is shown of an id. */
  readonly shortId: (id: string) => string
  /** The entries from the root to the leaf. */
  readonly active: ReadonlySet<SessionEntry>
  readonly leaf: ShownLeaf | undefined
  /** Shown after a node, and never cut. */
  readonly remark?: (node: ViewNode) => string
  /** So many of the vertical lines are drawn, the innermost. */
  readonly mostRails?: number
}

/** Where the leaf is shown: at itself, or at the nearest entry above it that is shown. */
export interface ShownLeaf {
  readonly node: ViewNode
  /** Whether a part of the conversation that is not shown lies between. */
  readonly below: boolean
}

/** Deeper branches are drawn with the innermost lines only, behind the number of those that are left out. */
const MAX_RAILS = 20
const MAX_TEXT = 200

export function* treeLines(roots: readonly ViewNode[], options: TreeLinesOptions): Generator<string> {
  for (const row of treeRows(roots)) yield treeLine(row, options)
}

/** One row as a line that fits the style's width. */
export function treeLine({ node, rails, begins }: TreeRow, options: TreeLinesOptions): string {
  const { style, shortId, active, leaf } = options
  const { glyphs } = style
  const { who, text } = entryLine(node.entry)
  const lines = railsText(rails, options) + (begins ? glyphs[begins] : "")
  const isActive = active.has(node.entry)
  const mark = markOf(node.entry, isActive, style)
  const id = cleanLine(shortId(node.entry.id))
  const label = node.label === undefined ? "" : `[${cleanLine(node.label)}] `
  const here = node === leaf?.node ? `  ${glyphs.leaf} leaf${leaf.below ? " below" : ""}` : ""
  const end = `${options.remark?.(node) ?? ""}${here}`
  const before = `${lines}${mark} ${id} ${who}  ${label}`
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

function markOf({ type }: SessionEntry, isActive: boolean, { glyphs }: Style): string {
  if (type === "compaction") return isActive ? glyphs.compactionOn : glyphs.compactionOff
  return isActive ? glyphs.on : glyphs.off
}

function railsText(rails: Rails, { style: { glyphs }, mostRails = MAX_RAILS }: TreeLinesOptions): string {
  let text = ""
  let drawn = 0
  for (let at: Rails | undefined = rails; at?.outer && drawn < mostRails; at = at.outer) {
    text = (at.goesOn ? glyphs.rail : "  ") + text
    drawn += 1
  }
  return rails.depth > drawn ? `${glyphs.ellipsis}${rails.depth - drawn} ${text}` : text
}

/** One line of a drawn tree: `rails` lead to it, and where a branch begins, a tee or a corner ends them. */
export interface TreeRow {
  readonly node: ViewNode
  readonly rails: Rails
  readonly begins: "tee" | "corner" | undefined
}

/** The vertical lines left of a row: whether each of the branches that it lies in goes on below. Innermost first. */
export interface Rails {
  readonly depth: number
  readonly goesOn: boolean
  readonly outer: Rails | undefined
}

/**
 * The rows of a tree from top to bottom. A chain stays in its column; where the conversation branched, each branch goes
 * one step to the right. Not recursive.
 * @param isFolded what is below such a node has no rows
 */
export function* treeRows(
  roots: readonly ViewNode[],
  isFolded: (node: ViewNode) => boolean = () => false,
): Generator<TreeRow> {
  const open: { row: TreeRow; inner: Rails }[] = []
  const visitLater = (nodes: readonly ViewNode[], rails: Rails): void => {
    for (let index = nodes.length - 1; index >= 0; index--) {
      const node = nodes[index]
      if (!node) continue
      if (nodes.length === 1) open.push({ row: { node, rails, begins: undefined }, inner: rails })
      else {
        const goesOn = index < nodes.length - 1
        const inner = { depth: rails.depth + 1, goesOn, outer: rails }
        open.push({ row: { node, rails, begins: goesOn ? "tee" : "corner" }, inner })
      }
    }
  }
  visitLater(roots, NO_RAILS)
  for (let next = open.pop(); next; next = open.pop()) {
    yield next.row
    if (!isFolded(next.row.node)) visitLater(next.row.node.children, next.inner)
  }
}

const NO_RAILS: Rails = { depth: 0, goesOn: false, outer: undefined }

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
