import type { SessionInfo } from "@treelog/session-core"
import { promptTerms } from "@treelog/session-core/prompt-history"
import type { SaidTerms } from "../../search/sessions-saying.js"
import { type ListWindow, selectRow, windowOf } from "../frame/list-frame.js"
import { fieldWith, type TextField } from "../frame/text-field.js"
import {
  holdsEvery,
  isInScope,
  merged,
  ORDERS,
  type SessionRow,
  type SessionScope,
  type SessionView,
  sessionRow,
} from "./session-row.js"

export interface SessionsState {
  /** The folder whose sessions are those of the project. An absolute path. */
  readonly cwd: string
  readonly view: SessionView
  readonly query: TextField
  /** Of the query, folded. */
  readonly terms: readonly string[]
  /** What the index found of a query: of this one, or of the one before it until there is an answer. */
  readonly said: SaidTerms
  /** Every session that was found, in the order of the view. */
  readonly rows: readonly SessionRow[]
  /** Rows that match the view and the query. */
  readonly shown: readonly SessionRow[]
  /** How many belong to the scope. */
  readonly total: number
  readonly window: ListWindow
  /** Until the user moves, the first row is selected, whatever arrives; afterwards the same session. */
  readonly hasMoved: boolean
  readonly mode: Mode
  /** The result of the last key. */
  readonly notice?: string | undefined
  readonly progress: Progress
}

/** The mode of the picker. */
export type Mode =
  | { readonly kind: "browse" }
  | { readonly kind: "rename"; readonly info: SessionInfo; readonly field: TextField }
  | { readonly kind: "delete"; readonly info: SessionInfo }
  /** Something is being written; `doing` describes it. */
  | { readonly kind: "busy"; readonly doing: string }

export const BROWSE: Mode = { kind: "browse" }

export interface Progress {
  /** Sessions are still being found. */
  readonly isListing: boolean
  /** The index is asked for what the query finds. */
  readonly isSearching?: boolean
  /** How far the index is; empty when it is up to date, undefined before that is known. */
  readonly indexing?: string
  /** How many sessions the index lacks, because they cannot be read. */
  readonly unreadable?: number
  /** Why there is no index, and what to do: a query finds names, first messages and ids then. */
  readonly unindexed?: string
}

/** Whether more sessions may be found. */
export function isLooking({ progress, terms }: SessionsState): boolean {
  const { isListing, isSearching, indexing, unindexed } = progress
  return isListing || isSearching === true || (terms.length > 0 && unindexed === undefined && indexing !== "")
}

export function sessionsState(cwd: string, view: SessionView, query: string): SessionsState {
  return {
    cwd,
    view,
    query: fieldWith(query),
    terms: promptTerms(query),
    said: new Map(),
    rows: [],
    shown: [],
    total: 0,
    window: windowOf(1),
    hasMoved: false,
    mode: BROWSE,
    progress: { isListing: true },
  }
}

export function selectedRow({ shown, window }: SessionsState): SessionRow | undefined {
  return shown[window.selected]
}

/** The state with sessions that were found. One that is known already is replaced. */
export function takeSessions(state: SessionsState, infos: readonly SessionInfo[], from: SessionScope): SessionsState {
  const { view, cwd } = state
  const paths = new Set(infos.map(({ path }) => path))
  const known = new Map<string, SessionRow>()
  for (const row of state.rows) if (paths.has(row.info.path)) known.set(row.info.path, row)
  const others = (rows: readonly SessionRow[]): readonly SessionRow[] =>
    known.size === 0 ? rows : rows.filter(({ info }) => !known.has(info.path))
  const rows = infos.map((info) => sessionRow(info, from === "project" || known.get(info.path)?.isInBucket === true))
  const count = (of: Iterable<SessionRow>): number => [...of].filter((row) => isInScope(row, view.scope, cwd)).length
  const order = ORDERS[view.sort]
  return reselected(state, {
    ...state,
    rows: merged(others(state.rows), rows, order),
    shown: merged(others(state.shown), shownOf(state, rows), order),
    total: state.total - count(known.values()) + count(rows),
  })
}

/** The state without a session that is gone. */
export function dropSession(state: SessionsState, path: string): SessionsState {
  const { window, total } = state
  const without = (rows: readonly SessionRow[]): SessionRow[] => rows.filter(({ info }) => info.path !== path)
  const [rows, shown] = [without(state.rows), without(state.shown)]
  const dropped = { ...state, rows, shown, total: total - (state.shown.length - shown.length) }
  return { ...dropped, window: selectRow(window, window.selected, shown.length) }
}

/** The state with what the index found of the query. */
export function takeSaid(state: SessionsState, said: SaidTerms): SessionsState {
  const next = { ...state, said }
  return reselected(state, { ...next, shown: shownOf(next, state.rows) })
}

export function changeView(state: SessionsState, change: Partial<SessionView>): SessionsState {
  const view = { ...state.view, ...change }
  const rows = view.sort === state.view.sort ? state.rows : [...state.rows].sort(ORDERS[view.sort])
  const next = { ...state, view, rows }
  const total = rows.filter((row) => isInScope(row, view.scope, state.cwd)).length
  return reselected(state, { ...next, shown: shownOf(next, rows), total })
}

/** A query finds from the top. */
export function changeQuery(state: SessionsState, query: TextField): SessionsState {
  if (query.text === state.query.text) return { ...state, query }
  const terms = promptTerms(query.text)
  const shown = shownOf({ ...state, terms }, state.rows)
  return { ...state, query, terms, shown, window: selectRow(state.window, 0, shown.length), hasMoved: false }
}

/** The rows that match the view and the query. */
function shownOf({ view, cwd, terms, said }: SessionsState, rows: readonly SessionRow[]): SessionRow[] {
  const { scope, named } = view
  return rows.filter(
    (row) => isInScope(row, scope, cwd) && (!named || row.info.name !== undefined) && holdsEvery(row, terms, said),
  )
}

/** The next state with the same session selected, once the user has moved; otherwise with the first. */
function reselected(state: SessionsState, next: SessionsState): SessionsState {
  const { shown } = next
  const selected = state.hasMoved ? positionOf(selectedRow(state), shown, state.window.selected) : 0
  return { ...next, window: selectRow(state.window, selected, shown.length) }
}

function positionOf(row: SessionRow | undefined, shown: readonly SessionRow[], otherwise: number): number {
  const at = row ? shown.findIndex(({ info }) => info.path === row.info.path) : -1
  return at === -1 ? otherwise : at
}
