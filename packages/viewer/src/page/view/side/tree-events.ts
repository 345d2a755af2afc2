import type { Viewer } from "../viewer.js"
import { currentRow } from "./current-row.js"

/** Rows that PageUp and PageDown move. */
const PAGE = 15

/** Handles the keys of a tree (WAI-ARIA). Uses the current state, since keys may come faster than the tree is rendered. */
export function treeKey(event: KeyboardEvent, viewer: Viewer): void {
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
export function treeClick({ target }: MouseEvent, viewer: Viewer): void {
  const line = target instanceof Element ? target.closest<HTMLElement>(".tree-line") : null
  const ordinal = Number(line?.dataset.ordinal ?? "none")
  if (!(target instanceof Element) || Number.isNaN(ordinal)) return
  if (target.closest(".tree-fold")) viewer.setBranchFolded(ordinal, !viewer.branch.isFolded(ordinal))
  else viewer.goTo(ordinal, { focus: false })
}
