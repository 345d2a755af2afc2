import type { SessionEntry } from "@treelog/session-core"
import type { Style } from "@treelog-internal/text"
import { cleanLine, entryLine, paintOf } from "@treelog-internal/text"
import { type Rails, type TreeRow, treeRows } from "./tree-rows.js"
import type { ViewNode } from "./tree-view.js"
import { truncated, widthOf } from "./width.js"

export interface TreeLinesOptions {
  readonly style: Style
  /** What is shown of an id. */
  readonly shortId: (id: string) => string
  /** The entries from the root to the leaf. */
  readonly active: ReadonlySet<SessionEntry>
  readonly leaf: ShownLeaf | undefined
  /** Said behind a node, and never cut. */
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
