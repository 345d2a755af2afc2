import type { TreeFilter } from "@treelog-internal/text"
import type { ViewNode } from "../../render/tree-lines.js"
import { type ListWindow, selectRow, windowOf } from "../frame/list-frame.js"
import { fieldWith, type TextField } from "../frame/text-field.js"
import { type ShownRows, shownRows, type TreeChoices, type TreeData, TreeSearch } from "./shown-rows.js"

export interface TreeState extends TreeChoices, ShownRows {
  readonly window: ListWindow
  readonly mode: TreeMode
  /** The result of the last key. */
  readonly notice?: string | undefined
}

export type TreeMode =
  | { readonly kind: "browse" }
  | { readonly kind: "label"; readonly entryId: string; readonly field: TextField }
  /** Whether the branch that is left is to be summarized. */
  | { readonly kind: "summary"; readonly entryId: string }
  | { readonly kind: "instructions"; readonly entryId: string; readonly field: TextField }
  /** Something is being written; `doing` describes it. */
  | { readonly kind: "busy"; readonly doing: string }

export const BROWSE: TreeMode = { kind: "browse" }

/** The tree as it is at first, with the leaf selected. */
export function treeState(data: TreeData, filter: TreeFilter): TreeState {
  const start: TreeState = {
    data,
    filter,
    query: fieldWith(""),
    search: new TreeSearch(),
    folded: new Set(),
    rows: [],
    hidden: new Map(),
    leaf: undefined,
    window: windowOf(1),
    mode: BROWSE,
  }
  return changeTree(start, {})
}

export function selectedNode({ rows, window }: TreeState): ViewNode | undefined {
  return rows[window.selected]?.node
}

/**
 * The state with other rows. The same entry stays selected, or the nearest one above it that is shown; where there is none,
 * the leaf.
 */
export function changeTree(state: TreeState, change: Partial<TreeChoices>): TreeState {
  const next = { ...state, ...change }
  const { rows, hidden, leaf } = shownRows(next)
  const places = new Map(rows.map(({ node }, at) => [node.entry.id, at]))
  const selected =
    nearestShownRow(selectedNode(state)?.entry.id, next.data, places) ?? (leaf && places.get(leaf.node.entry.id))
  return { ...next, rows, hidden, leaf, window: selectRow(state.window, selected ?? 0, rows.length) }
}

function nearestShownRow(
  entryId: string | undefined,
  { parents }: TreeData,
  places: ReadonlyMap<string, number>,
): number | undefined {
  // Of entries with the same id, one may be above the other: no id is gone by twice.
  const passed = new Set<string>()
  for (let id = entryId; id !== undefined && !passed.has(id); id = parents.get(id)) {
    const place = places.get(id)
    if (place !== undefined) return place
    passed.add(id)
  }
  return undefined
}
