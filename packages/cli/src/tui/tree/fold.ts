import type { TreeRow } from "../../render/tree-rows.js"
import { selectRow } from "../frame/list-window.js"
import { changeTree, type TreeState } from "./tree-state.js"

/** Left: folds the branch that begins here, or that goes on from a fork here; where there is nothing to fold, goes to where it begins. */
export function foldOrGoUp(state: TreeState): TreeState {
  const { rows, window, folded, query } = state
  const row = rows[window.selected]
  if (!row) return state
  const { id } = row.node.entry
  if (query.text === "" && row.node.children.length > 0 && isTurn(rows, window.selected) && !folded.has(id))
    return changeTree(state, { folded: new Set([...folded, id]) })
  let at = window.selected - 1
  // Rows between that lie deeper are of branches beside it.
  while (at > 0 && !(isTurn(rows, at) && isAbove(rows[at], row))) at -= 1
  return { ...state, window: selectRow(window, at, rows.length) }
}

/** Right: unfolds; where there is nothing to unfold, goes to the next fork or beginning of a branch below. */
export function unfoldOrGoDown(state: TreeState): TreeState {
  const { rows, window, folded } = state
  const id = rows[window.selected]?.node.entry.id
  if (id !== undefined && folded.has(id)) {
    const open = new Set(folded)
    open.delete(id)
    return changeTree(state, { folded: open })
  }
  let at = window.selected + 1
  while (at < rows.length && !isTurn(rows, at)) at += 1
  return { ...state, window: selectRow(window, Math.min(at, rows.length - 1), rows.length) }
}

/** Whether a branch begins at a row, or several go on from it. */
function isTurn(rows: readonly TreeRow[], at: number): boolean {
  const row = rows[at]
  return row !== undefined && (at === 0 || row.begins !== undefined || row.node.children.length > 1)
}

function isAbove(above: TreeRow | undefined, row: TreeRow): boolean {
  for (let node = row.node.parent; node; node = node.parent) if (node === above?.node) return true
  return false
}
