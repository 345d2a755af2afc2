import type { EntrySummary } from "./entry-summary.js"
import type { PageSession } from "./page-session.js"

export const TREE_FILTERS = ["conversation", "tools", "questions", "labels", "everything"] as const

export type TreeFilter = (typeof TREE_FILTERS)[number]

/** One row of the displayed tree. */
export interface TreeRow {
  readonly ordinal: number
  /** The column. The chosen branch stays in its own; each branch beside it is one column further right. */
  readonly depth: number
  /** Whether a branch beside the chosen one starts here. */
  readonly begins: boolean
  /** Whether it is the last row of its branch. */
  ends: boolean
  readonly onPath: boolean
  /** Whether the branch that starts here is collapsed. */
  readonly isFolded: boolean
}

interface Turn {
  readonly ordinal: number
  readonly depth: number
  readonly chain: Chain
}

/** A branch that continues in one column. */
interface Chain {
  readonly isSide: boolean
  last: TreeRow | undefined
}

/**
 * The rows of a tree from top to bottom. At a fork, the other branches come first, each one column further right, and the chosen
 * branch (elsewhere the newest) continues below them in its column. Not recursive.
 * @param chosen the ordinals of the chosen branch
 * @param folded the first entries of collapsed branches
 */
export function treeRows(
  session: PageSession,
  filter: TreeFilter,
  chosen: ReadonlySet<number>,
  folded: ReadonlySet<number>,
): TreeRow[] {
  const shows = FILTERS[filter]
  const rows: TreeRow[] = []
  const open: Turn[] = []
  const roots = session.roots()
  for (let index = roots.length - 1; index >= 0; index--)
    open.push({ ordinal: roots[index] ?? 0, depth: 0, chain: { isSide: roots.length > 1, last: undefined } })
  for (let turn = open.pop(); turn; turn = open.pop()) {
    const { depth, chain } = turn
    let ordinal: number | undefined = turn.ordinal
    while (ordinal !== undefined) {
      if (shows(session.summary(ordinal), session)) {
        const begins = chain.isSide && chain.last === undefined
        const isFolded = begins && folded.has(ordinal)
        if (chain.last) chain.last.ends = false
        chain.last = { ordinal, depth, begins, ends: true, onPath: chosen.has(ordinal), isFolded }
        rows.push(chain.last)
        if (isFolded) break
      }
      const children = session.childrenOf(ordinal)
      if (children.length <= 1) {
        ordinal = children[0]
        continue
      }
      const main = mainChild(session, children, chosen)
      open.push({ ordinal: main, depth, chain })
      for (let index = children.length - 1; index >= 0; index--) {
        const side = children[index]
        if (side !== undefined && side !== main)
          open.push({ ordinal: side, depth: depth + 1, chain: { isSide: true, last: undefined } })
      }
      ordinal = undefined
    }
  }
  return rows
}

function mainChild(session: PageSession, children: readonly number[], chosen: ReadonlySet<number>): number {
  const onPath = children.find((child) => chosen.has(child))
  if (onPath !== undefined) return onPath
  return children.reduce((newest, child) => (session.newestBelow(child) > session.newestBelow(newest) ? child : newest))
}

const isConversation = ({ speaker }: EntrySummary): boolean => speaker !== "note"

const FILTERS: Readonly<Record<TreeFilter, (summary: EntrySummary, session: PageSession) => boolean>> = {
  conversation: (summary, { labels }) =>
    (isConversation(summary) && summary.speaker !== "tool" && !summary.isOnlyCalls) ||
    labels.get(summary.id) !== undefined,
  tools: isConversation,
  questions: ({ speaker }) => speaker === "user",
  labels: ({ id }, { labels }) => labels.get(id) !== undefined,
  everything: () => true,
}
