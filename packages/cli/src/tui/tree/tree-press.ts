import { TREE_FILTERS, type TreeFilter, type TreeRow } from "@treelog-internal/text"
import type { ViewNode } from "../../render/tree-lines.js"
import type { KeyName, KeyPress } from "../frame/key-reader.js"
import { type ListWindow, moveByKey, selectRow, windowOf } from "../frame/list-frame.js"
import { answerKey, editField, fieldWith, LEAVE, type TextField } from "../frame/text-field.js"
import { type ShownRows, shownRows, type TreeChoices, type TreeData, TreeSearch } from "./shown-rows.js"

/** Where to go, and whether what is left is summarized there. */
export interface TreeChoice {
  readonly entryId: string
  readonly summarize: boolean
  readonly instructions?: string | undefined
}

/** Work beside showing another state. */
type TreeTask =
  | { readonly kind: "pick"; readonly choice: TreeChoice }
  | { readonly kind: "leave" }
  /** An empty text takes the label off. */
  | { readonly kind: "label"; readonly entryId: string; readonly text: string }

export interface TreePressed {
  readonly state: TreeState
  readonly task?: TreeTask
}

/** Whether a summary is to be asked for when one goes to an entry. */
export type AsksSummary = (entryId: string) => boolean

const FILTER_KEYS: Readonly<Partial<Record<KeyName, TreeFilter>>> = {
  "ctrl-a": "all",
  "ctrl-d": "default",
  "ctrl-l": "labeled-only",
  "ctrl-t": "no-tools",
}

export function pressInTree(before: TreeState, press: KeyPress, asks: AsksSummary): TreePressed {
  const state = before.notice === undefined ? before : { ...before, notice: undefined }
  if (press.kind === "key" && press.name === "ctrl-c") return { state, task: { kind: "leave" } }
  const { mode } = state
  switch (mode.kind) {
    case "browse":
      return press.kind === "key" ? browseKey(state, press.name, asks) : { state: typed(state, press) }
    case "label":
      return labelKey(state, mode, press)
    case "summary":
      return summaryKey(state, mode.entryId, press)
    case "instructions":
      return instructionsKey(state, mode, press)
    case "busy":
      return { state }
  }
}

function browseKey(state: TreeState, name: KeyName, asks: AsksSummary): TreePressed {
  if (LEAVE.has(name)) return { state, task: { kind: "leave" } }
  const window = moveByKey(state.window, name, state.rows.length)
  if (window) return { state: { ...state, window } }
  const filter = FILTER_KEYS[name] ?? filterAfter(state.filter, name)
  if (filter) return { state: changeTree(state, { filter }) }
  switch (name) {
    case "enter":
      return enter(state, asks)
    case "left":
      return { state: foldOrGoUp(state) }
    case "right":
      return { state: unfoldOrGoDown(state) }
    default:
      return { state: written(state, { kind: "key", name }) }
  }
}

/** Ctrl-O goes from filter to filter; Ctrl-U shows the user's messages alone, or again what is shown at first. */
function filterAfter(filter: TreeFilter, name: KeyName): TreeFilter | undefined {
  if (name === "ctrl-u") return filter === "user-only" ? "default" : "user-only"
  return name === "ctrl-o" ? TREE_FILTERS[(TREE_FILTERS.indexOf(filter) + 1) % TREE_FILTERS.length] : undefined
}

/** A capital L labels, anywhere in the typed text; searches ignore case. */
function typed(state: TreeState, press: KeyPress & { kind: "text" }): TreeState {
  const at = press.isPasted ? -1 : press.text.indexOf("L")
  if (at === -1) return written(state, press)
  const asking = askLabel(at === 0 ? state : written(state, { ...press, text: press.text.slice(0, at) }))
  const rest = press.text.slice(at + 1)
  if (asking.mode.kind !== "label" || rest === "") return asking
  return { ...asking, mode: { ...asking.mode, field: fieldWith(asking.mode.field.text + rest) } }
}

function askLabel(state: TreeState): TreeState {
  const node = selectedNode(state)
  if (!node) return state
  return { ...state, mode: { kind: "label", entryId: node.entry.id, field: fieldWith(node.label ?? "") } }
}

function written(state: TreeState, press: KeyPress): TreeState {
  const query = editField(state.query, press)
  return query ? changeTree(state, { query }) : state
}

function enter(state: TreeState, asks: AsksSummary): TreePressed {
  const id = selectedNode(state)?.entry.id
  if (id === undefined) return { state }
  if (asks(id)) return { state: { ...state, mode: { kind: "summary", entryId: id } } }
  return { state, task: { kind: "pick", choice: { entryId: id, summarize: false } } }
}

function labelKey(state: TreeState, mode: TreeMode & { kind: "label" }, press: KeyPress): TreePressed {
  const { entryId, field } = mode
  const answer = answerKey(field, press)
  if (answer !== "leave" && "field" in answer) return { state: { ...state, mode: { ...mode, field: answer.field } } }
  const label = selectedNode(state)?.label ?? ""
  if (answer === "leave" || answer.submitted === label) return { state: { ...state, mode: BROWSE } }
  return {
    state: { ...state, mode: { kind: "busy", doing: "Saving the label" } },
    task: { kind: "label", entryId, text: answer.submitted },
  }
}

function summaryKey(state: TreeState, entryId: string, press: KeyPress): TreePressed {
  const key = press.kind === "key" ? press.name : press.text.toLowerCase()
  if (key === "y" || key === "n" || key === "enter")
    return { state, task: { kind: "pick", choice: { entryId, summarize: key === "y" } } }
  if (key === "i") return { state: { ...state, mode: { kind: "instructions", entryId, field: fieldWith("") } } }
  return { state: LEAVE.has(key as KeyName) ? { ...state, mode: BROWSE } : state }
}

function instructionsKey(state: TreeState, mode: TreeMode & { kind: "instructions" }, press: KeyPress): TreePressed {
  const { entryId, field } = mode
  const answer = answerKey(field, press)
  if (answer === "leave") return { state: { ...state, mode: { kind: "summary", entryId } } }
  if ("field" in answer) return { state: { ...state, mode: { ...mode, field: answer.field } } }
  const instructions = answer.submitted || undefined
  return { state, task: { kind: "pick", choice: { entryId, summarize: true, instructions } } }
}

/** Left: folds the branch that begins here or forks here; where there is nothing to fold, selects the beginning of the branch. */
export function foldOrGoUp(state: TreeState): TreeState {
  const { rows, window, folded, query } = state
  const row = rows[window.selected]
  if (!row) return state
  const { id } = row.node.entry
  if (query.text === "" && row.node.children.length > 0 && isTurn(rows, window.selected) && !folded.has(id))
    return changeTree(state, { folded: new Set([...folded, id]) })
  let at = window.selected - 1
  // Deeper rows between them belong to other branches.
  while (at > 0 && !(isTurn(rows, at) && isAbove(rows[at], row))) at -= 1
  return { ...state, window: selectRow(window, at, rows.length) }
}

/** Right: unfolds; where there is nothing to unfold, selects the next fork or beginning of a branch below. */
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
function isTurn(rows: readonly TreeRow<ViewNode>[], at: number): boolean {
  const row = rows[at]
  return row !== undefined && (at === 0 || row.isBranch || row.node.children.length > 1)
}

function isAbove(above: TreeRow<ViewNode> | undefined, row: TreeRow<ViewNode>): boolean {
  for (let node = row.node.parent; node; node = node.parent) if (node === above?.node) return true
  return false
}

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
 * The state with other rows. The selected entry stays selected, or the nearest one above it that is shown; where there is none,
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
