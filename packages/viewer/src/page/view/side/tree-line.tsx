import type { JSX } from "preact"
import { SPEAKER_NAMES } from "../../session/entry-summary.js"
import type { TreeRow } from "../../session/tree-rows.js"
import { readableLine } from "../../text/readable-text.js"
import { Icon } from "../icons.js"
import { useViewer } from "../viewer-context.js"

/** CSS pixels; the same as in the style sheet. */
export const ROW_HEIGHT = 28

/** Width of a column of the tree, and the maximum number of columns. */
const COLUMN = 14
const MOST_COLUMNS = 8

export interface TreeLineProps {
  readonly row: TreeRow | undefined
  readonly position: number
  readonly isCurrent: boolean
}

export function TreeLine({ row, position, isCurrent }: TreeLineProps): JSX.Element | null {
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
