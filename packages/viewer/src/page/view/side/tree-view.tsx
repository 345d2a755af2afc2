import { TREE_FILTERS, type TreeFilter } from "@treelog-internal/text"
import type { JSX } from "preact"
import { useEffect, useRef } from "preact/hooks"
import { VirtualList } from "../../scroll/virtual-list.js"
import { SPEAKER_NAMES } from "../../session/entry-summary.js"
import type { TreeRow } from "../../session/tree-rows.js"
import { readableLine } from "../../text/readable-text.js"
import { Choice } from "../controls/choices.js"
import { Icon } from "../controls/icons.js"
import { plural } from "../format-values.js"
import type { Viewer } from "../state/viewer.js"
import { useViewer } from "../state/viewer-context.js"

const FILTER_NAMES: Readonly<Record<TreeFilter, string>> = {
  default: "With tools",
  "no-tools": "Conversation",
  "user-only": "Questions",
  "labeled-only": "Labelled",
  all: "Everything",
}

/** The tree of the session, with the chosen branch straight down and the others beside it. */
export function TreeView(): JSX.Element {
  const viewer = useViewer()
  const { session } = viewer
  const { tree, filter } = viewer.branch
  const list = useRef<VirtualList>(null)
  const at = currentRow(viewer)
  const active = tree[at]
  useEffect(() => {
    if (at >= 0) list.current?.scrollToRow(at, "nearest")
  }, [at, tree])
  return (
    <div class="side-body">
      <div class="side-head">
        <h2>Tree</h2>
        <span class="faint">{plural(session?.shownCount ?? 0, "entry", "entries")}</span>
        <Choice
          label="Tree filter"
          value={filter}
          options={TREE_FILTERS.map((one) => [one, FILTER_NAMES[one]])}
          choose={(one) => viewer.setTreeFilter(one)}
        />
      </div>
      {tree.length === 0 ? (
        <p class="side-empty">
          {session?.shownCount === 0 ? "The session has no entries." : "No entry is shown by this filter."}
        </p>
      ) : (
        <VirtualList
          ref={list}
          count={tree.length}
          rows={tree}
          estimate={() => ROW_HEIGHT}
          keyOf={(row) => tree[row]?.ordinal ?? row}
          renderRow={(row) => <TreeLine row={tree[row]} position={row} isCurrent={row === at} />}
          attributes={{
            class: "tree",
            role: "tree",
            tabIndex: 0,
            "aria-label": "Tree of the session",
            ...(active && { "aria-activedescendant": `tree-${active.ordinal}` }),
            onKeyDown: (event) => treeKey(event, viewer),
            onClick: (event) => treeClick(event, viewer),
          }}
        />
      )}
    </div>
  )
}

/** Rows that PageUp and PageDown move. */
const PAGE = 15

/** Handles the keys of a tree (WAI-ARIA). Uses the current state, since keys may come faster than the tree is rendered. */
function treeKey(event: KeyboardEvent, viewer: Viewer): void {
  const { tree } = viewer.branch
  const at = currentRow(viewer)
  const row = tree[at]
  const go = (to: number): void => {
    const next = tree[Math.max(0, Math.min(to, tree.length - 1))]
    if (next) viewer.goTo(next.ordinal, { focus: false, keepPanel: true })
  }
  if (event.key === "ArrowDown") go(at + 1)
  else if (event.key === "ArrowUp") go(at - 1)
  else if (event.key === "PageDown") go(at + PAGE)
  else if (event.key === "PageUp") go(at - PAGE)
  else if (event.key === "Home") go(0)
  else if (event.key === "End") go(tree.length - 1)
  else if (event.key === "ArrowLeft" && row) {
    if (row.begins && !row.isFolded) viewer.setBranchFolded(row.ordinal, true)
    else go(tree.findLastIndex(({ depth, begins }, index) => index < at && (begins || depth < row.depth)))
  } else if (event.key === "ArrowRight" && row) {
    if (row.isFolded) viewer.setBranchFolded(row.ordinal, false)
    else go(at + 1)
  } else if ((event.key === "Enter" || event.key === " ") && row) viewer.goTo(row.ordinal)
  else return
  event.preventDefault()
  event.stopPropagation()
}

/** Goes to the clicked entry; a click on its icon collapses or expands the branch. */
function treeClick({ target }: MouseEvent, viewer: Viewer): void {
  const line = target instanceof Element ? target.closest<HTMLElement>(".tree-line") : null
  const ordinal = Number(line?.dataset.ordinal ?? "none")
  if (!(target instanceof Element) || Number.isNaN(ordinal)) return
  if (target.closest(".tree-fold")) viewer.setBranchFolded(ordinal, !viewer.branch.isFolded(ordinal))
  else viewer.goTo(ordinal, { focus: false })
}

/** CSS pixels; the same as in the style sheet. */
const ROW_HEIGHT = 28

/** Width of a column of the tree, and the maximum number of columns. */
const COLUMN = 14
const MOST_COLUMNS = 8

interface TreeLineProps {
  readonly row: TreeRow | undefined
  readonly position: number
  readonly isCurrent: boolean
}

function TreeLine({ row, position, isCurrent }: TreeLineProps): JSX.Element | null {
  const viewer = useViewer()
  const { session } = viewer
  if (!row || !session) return null
  const { ordinal, onPath, begins, isFolded, depth } = row
  const summary = session.summary(ordinal)
  const label = session.labels.get(summary.id)?.label
  return (
    <div
      id={`tree-${ordinal}`}
      class="tree-line"
      role="treeitem"
      aria-level={depth + 1}
      aria-posinset={position + 1}
      aria-setsize={viewer.branch.tree.length}
      aria-selected={isCurrent}
      aria-expanded={begins ? !isFolded : undefined}
      data-on-path={onPath}
      data-speaker={summary.speaker}
      data-ordinal={ordinal}
      tabIndex={-1}
    >
      <Rails row={row} />
      {begins && (
        <span class="tree-fold" aria-hidden="true" data-folded={isFolded}>
          <Icon name="chevron" />
        </span>
      )}
      <Icon name={summary.speaker} />
      <span class="unseen">{SPEAKER_NAMES[summary.speaker]}: </span>
      <bdi class="tree-text">{summary.text || "(no text)"}</bdi>
      {label !== undefined && (
        <span class="label">
          <span class="unseen">Label: </span>
          <bdi>{readableLine(label, 60)}</bdi>
        </span>
      )}
      {!onPath && <span class="unseen">On another branch</span>}
    </div>
  )
}

/** The lines of the branches at a row. */
function Rails({ row }: { readonly row: TreeRow }): JSX.Element {
  const depth = Math.min(row.depth, MOST_COLUMNS)
  const x = (column: number): number => column * COLUMN + 9
  const middle = ROW_HEIGHT / 2
  const lines: string[] = []
  for (let column = 0; column < depth; column++) lines.push(`M${x(column)} 0V${ROW_HEIGHT}`)
  const curve = `M${x(depth - 1)} 0Q${x(depth - 1)} ${middle} ${x(depth)} ${middle}`
  lines.push(row.begins && depth > 0 ? curve : `M${x(depth)} 0V${middle}`)
  if (!row.ends) lines.push(`M${x(depth)} ${middle}V${ROW_HEIGHT}`)
  const width = x(depth) + 8
  return (
    <svg class="rails" width={width} height={ROW_HEIGHT} viewBox={`0 0 ${width} ${ROW_HEIGHT}`} aria-hidden="true">
      <path d={lines.join("")} />
      <circle cx={x(depth)} cy={middle} r={3.2} />
    </svg>
  )
}

/** The tree row of the current entry; if the filter hides it, the nearest row above it on the branch. -1 if there is none. */
function currentRow({ current, branch }: Viewer): number {
  const { tree, rows } = branch
  if (current === undefined) return -1
  const exact = tree.findIndex(({ ordinal }) => ordinal === current)
  const place = rows.rowOf.get(current)
  if (exact >= 0 || place === undefined) return exact
  return tree.findLastIndex(
    ({ ordinal, onPath }) => onPath && (rows.rowOf.get(ordinal) ?? Number.POSITIVE_INFINITY) <= place,
  )
}
