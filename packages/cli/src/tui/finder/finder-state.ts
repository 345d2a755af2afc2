import type { KeyName, KeyPress } from "../frame/key-reader.js"
import { type ListWindow, moveByKey, resizeWindow, selectRow, windowOf } from "../frame/list-frame.js"
import { answerKey, editField, fieldWith, LEAVE, type TextField } from "../frame/text-field.js"
import {
  FINDER_VIEWS,
  type FindAnswer,
  type FinderScope,
  type FinderView,
  type FindRequest,
  type Found,
  type FoundAction,
  type Picked,
  type Preview,
} from "./found.js"

export interface FinderState<Source> {
  /** The query as it is written. */
  readonly field: TextField
  readonly wanted: FindRequest
  /** To what is wanted, or to what was wanted before. */
  readonly answer: FindAnswer<Source>
  /** Of the rows of the answer. */
  readonly window: ListWindow
  /** Until the user moves, the first row is selected, whatever arrives; afterwards the same one. */
  readonly hasMoved: boolean
  /** How far the lists and the index are; empty when they are complete. */
  readonly progress: string
  /** What is to be said of them then. */
  readonly note: string
  readonly preview?: { readonly key: string; readonly shown: Preview } | undefined
  /** The name that is being written, for this row. */
  readonly naming?: { readonly found: Found<Source>; readonly field: TextField } | undefined
  /** The result of the last key. */
  readonly notice?: string | undefined
  /** What was asked of a row, which waits for the answer to what was typed. */
  readonly waiting?: FoundTask | undefined
}

type FoundTask = FoundAction | "read" | "copy" | "remove" | "rename"

/** Work beside showing another state. */
export type FinderTask<Source> =
  | { readonly kind: "leave" }
  | { readonly kind: "pick"; readonly picked: Picked<Source> }
  | FinderWork<Source>

export type FinderWork<Source> =
  | { readonly kind: "undo" }
  | { readonly kind: "read" | "copy" | "remove"; readonly found: Found<Source> }
  | { readonly kind: "rename"; readonly found: Found<Source>; readonly name: string }

export interface Pressed<Source> {
  readonly state: FinderState<Source>
  readonly task?: FinderTask<Source>
}

/** Rows that are asked for at first, at least: of each the session is read, between two keys. */
const FIRST_LIMIT = 40

export function finderState<Source>(view: FinderView, query: string, scope: FinderScope): FinderState<Source> {
  const wanted = { view, query, scope, limit: FIRST_LIMIT }
  return {
    field: fieldWith(query),
    wanted,
    answer: { request: { ...wanted }, rows: [], isMore: false },
    window: windowOf(1),
    hasMoved: false,
    progress: "",
    note: "",
  }
}

export function selectedRow<Source>({ answer, window }: FinderState<Source>): Found<Source> | undefined {
  return answer.rows[window.selected]
}

/** What shells and other finders have, too. */
const ALIASES: Readonly<Partial<Record<KeyName, KeyName>>> = { "ctrl-n": "down", "ctrl-j": "down", "ctrl-k": "up" }

const TASKS: Readonly<Partial<Record<KeyName, FoundTask>>> = {
  enter: "go-on",
  "ctrl-l": "at-end",
  "ctrl-o": "read",
  "ctrl-p": "copy",
  "ctrl-x": "remove",
  "ctrl-r": "rename",
}

export function pressFinderKey<Source>(before: FinderState<Source>, key: KeyPress): Pressed<Source> {
  const state = before.notice === undefined ? before : { ...before, notice: undefined }
  if (key.kind === "key" && key.name === "ctrl-c") return { state, task: { kind: "leave" } }
  if (state.naming) return nameKey(state, state.naming, key)
  if (key.kind === "key") {
    const name = ALIASES[key.name] ?? key.name
    if (LEAVE.has(name) || name === "ctrl-d") return { state, task: { kind: "leave" } }
    if (name === "ctrl-z") return { state, task: { kind: "undo" } }
    const moved = moveByKey(state.window, name, state.answer.rows.length)
    if (moved) return { state: inSight({ ...state, hasMoved: true }, moved) }
    const task = TASKS[name]
    if (task) return whenAnswered({ ...state, waiting: task })
    const { view, scope } = state.wanted
    if (name === "tab") return { state: asked(state, { view: nextView(view) }) }
    if (name === "shift-tab") return { state: asked(state, { scope: scope === "all" ? "project" : "all" }) }
  }
  const field = editField(state.field, key)
  return { state: field ? asked({ ...state, field }, { query: field.text }) : state }
}

function nextView(view: FinderView): FinderView {
  return FINDER_VIEWS[(FINDER_VIEWS.indexOf(view) + 1) % FINDER_VIEWS.length] ?? view
}

function nameKey<Source>(
  state: FinderState<Source>,
  { found, field }: NonNullable<FinderState<Source>["naming"]>,
  key: KeyPress,
): Pressed<Source> {
  const answer = answerKey(field, key)
  if (answer !== "leave" && "field" in answer) return { state: { ...state, naming: { found, field: answer.field } } }
  const browsing = { ...state, naming: undefined }
  if (answer === "leave") return { state: browsing }
  return { state: browsing, task: { kind: "rename", found, name: answer.submitted } }
}

/** The state when something was found. An answer to what is no longer wanted changes nothing. */
export function takeAnswer<Source>(state: FinderState<Source>, answer: FindAnswer<Source>): Pressed<Source> {
  if (answer.request !== state.wanted) return { state }
  const { window } = state
  const before = selectedRow(state)
  const at = state.hasMoved ? answer.rows.findIndex(({ key }) => key === before?.key) : 0
  const selected = at === -1 ? window.selected : at
  return whenAnswered(inSight({ ...state, answer }, selectRow(window, selected, answer.rows.length)))
}

/** The state when there is more to find, or something else: what is wanted is asked again. */
export function askAgain<Source>(
  state: FinderState<Source>,
  { progress, note }: Pick<FinderState<Source>, "progress" | "note"> = state,
): FinderState<Source> {
  return { ...state, progress, note, wanted: { ...state.wanted } }
}

/** There is room for so many rows. */
export function resizeRows<Source>(state: FinderState<Source>, height: number): FinderState<Source> {
  return height === state.window.height
    ? state
    : inSight(state, resizeWindow(state.window, height, state.answer.rows.length))
}

/** Asks for more where the end is near. */
function inSight<Source>(state: FinderState<Source>, window: ListWindow): FinderState<Source> {
  const { answer, wanted } = state
  const isNearEnd = answer.isMore && window.selected + 2 * window.height >= answer.rows.length
  const more = isNearEnd && wanted === answer.request ? { ...wanted, limit: 4 * wanted.limit } : wanted
  return { ...state, window, wanted: more }
}

function asked<Source>(state: FinderState<Source>, change: Partial<FindRequest>): FinderState<Source> {
  const wanted = { ...state.wanted, ...change, limit: Math.max(FIRST_LIMIT, 3 * state.window.height) }
  if (isSame(wanted, state.wanted)) return state
  // Rows of one view say nothing about another.
  const answer = wanted.view === state.wanted.view ? state.answer : { request: { ...wanted }, rows: [], isMore: true }
  const window = { ...state.window, selected: 0, top: 0 }
  return { ...state, wanted, answer, window, hasMoved: false, waiting: undefined }
}

function isSame(a: FindRequest, b: FindRequest): boolean {
  return a.query === b.query && a.scope === b.scope && a.view === b.view
}

/** What is done with a row is done with what was typed, and never with what was typed before. */
function whenAnswered<Source>(state: FinderState<Source>): Pressed<Source> {
  const { waiting, answer, wanted } = state
  // An answer without a row may be followed by one that has some.
  if (!waiting || !isSame(answer.request, wanted)) return { state }
  const found = selectedRow(state)
  if (!found) return { state: state.progress === "" ? { ...state, waiting: undefined } : state }
  const ready = { ...state, waiting: undefined }
  if (found.error !== undefined && waiting !== "remove" && waiting !== "copy")
    return { state: { ...ready, notice: `Cannot read this session: ${found.error}` } }
  if (waiting === "rename")
    return { state: { ...ready, naming: { found, field: fieldWith(found.isNamed ? found.title : "") } } }
  if (waiting === "go-on" || waiting === "at-end")
    return { state: ready, task: { kind: "pick", picked: { found, action: waiting } } }
  return { state: ready, task: { kind: waiting, found } }
}
