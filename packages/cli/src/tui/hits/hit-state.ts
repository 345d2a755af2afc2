import type { IndexedSession, SearchHit } from "@treelog/session-core/search"
import type { KeyName, KeyPress } from "../frame/key-reader.js"
import { type ListWindow, moveByKey, resizeWindow, selectRow, windowOf } from "../frame/list-frame.js"
import { editField, fieldWith, type TextField } from "../frame/text-field.js"

/** Whose sessions are searched. */
export type HitScope = "project" | "all"

export const HIT_SCOPES: readonly HitScope[] = ["project", "all"]

/** What is looked for. */
export interface HitRequest {
  readonly query: string
  readonly scope: HitScope
  /** At most so many hits. More are asked for when the selection comes near the end. */
  readonly limit: number
}

/** A hit, and the session that it is in. */
export interface FoundHit {
  readonly session: IndexedSession
  readonly title: string
  readonly hit: SearchHit
}

/** What is to be done with a hit: go on from its entry, go on at the end of its session, or read the session from there on. */
export type HitAction = "go-on" | "resume" | "read"

/** A hit that was chosen, and for what. */
export interface PickedHit extends FoundHit {
  readonly action: HitAction
}

/** The result: hits, or a sentence with the reason why there are none. */
export interface HitAnswer {
  readonly request: HitRequest
  readonly hits: readonly FoundHit[]
  readonly isMore: boolean
  readonly notice?: string | undefined
}

export interface HitState {
  /** The query as it is written. */
  readonly field: TextField
  readonly wanted: HitRequest
  /** To what is wanted, or to what was wanted before. */
  readonly answer: HitAnswer
  /** Of the hits of the answer. */
  readonly window: ListWindow
  /** How far the index is; empty when it is up to date. */
  readonly progress: string
  /** A hit was chosen for this, which waits for the answer. */
  readonly accepting?: HitAction | undefined
  readonly picked?: PickedHit
}

/** Hits that are asked for at first. */
export const FIRST_LIMIT = 100

/** The state before the first key. */
export function hitState(query: string, scope: HitScope, height = 1): HitState {
  const wanted = { query, scope, limit: FIRST_LIMIT }
  const answer = { request: { ...wanted }, hits: [], isMore: false }
  return { field: fieldWith(query), wanted, answer, window: windowOf(height), progress: "" }
}

/** What shells and other finders have, too. */
const ALIASES: Readonly<Partial<Record<KeyName, KeyName>>> = { "ctrl-n": "down", "ctrl-p": "up" }

const ACTIONS: Readonly<Partial<Record<KeyName, HitAction>>> = { enter: "go-on", "ctrl-l": "resume", "ctrl-o": "read" }

/** The state after a key. */
export function pressHitKey(state: HitState, key: KeyPress): HitState {
  if (state.picked) return state
  if (key.kind === "key") {
    const name = ALIASES[key.name] ?? key.name
    const moved = moveByKey(state.window, name, state.answer.hits.length)
    if (moved) return inSight(state, moved)
    const accepting = ACTIONS[name]
    if (accepting) return accepted({ ...state, accepting })
    if (name === "tab" || name === "shift-tab")
      return asked(state, { scope: state.wanted.scope === "all" ? "project" : "all" })
  }
  const field = editField(state.field, key)
  return field ? asked({ ...state, field }, { query: field.text }) : state
}

/** The state when something was found. An answer to what is no longer wanted changes nothing. */
export function takeHits(state: HitState, answer: HitAnswer): HitState {
  if (state.picked || answer.request !== state.wanted) return state
  const { window, answer: before } = state
  const selected = before.hits[window.selected]
  // The same hit stays selected when others come before it, once the user has moved.
  const at = window.selected === 0 ? 0 : answer.hits.findIndex(({ hit, session }) => isSame(selected, { hit, session }))
  return accepted(
    inSight({ ...state, answer }, selectRow(window, at === -1 ? window.selected : at, answer.hits.length)),
  )
}

function isSame(a: FoundHit | undefined, b: Pick<FoundHit, "hit" | "session">): boolean {
  return a?.session.key === b.session.key && a.hit.entryId === b.hit.entryId && a.hit.role === b.hit.role
}

/** The state when more was indexed: what is wanted is asked again. */
export function indexedMore(state: HitState, progress: string): HitState {
  return { ...state, progress, wanted: { ...state.wanted } }
}

/** There is room for so many rows of hits now. */
export function resizeHits(state: HitState, height: number): HitState {
  return inSight(state, resizeWindow(state.window, height, state.answer.hits.length))
}

/** Asks for more where the end is near. */
function inSight(state: HitState, window: ListWindow): HitState {
  const { answer, wanted } = state
  const moved = { ...state, window }
  const isNearEnd = answer.isMore && window.selected + 2 * window.height >= answer.hits.length
  return isNearEnd && wanted === answer.request ? { ...moved, wanted: { ...wanted, limit: 4 * wanted.limit } } : moved
}

function asked(state: HitState, change: Partial<HitRequest>): HitState {
  const wanted = { ...state.wanted, ...change, limit: FIRST_LIMIT }
  if (wanted.query === state.wanted.query && wanted.scope === state.wanted.scope) return state
  return { ...state, wanted, window: { ...state.window, selected: 0, top: 0 }, accepting: undefined }
}

/** What is picked answers what was typed, and never what was typed before. */
function accepted(state: HitState): HitState {
  const { accepting, answer, wanted, window } = state
  const isAnswered = answer.request.query === wanted.query && answer.request.scope === wanted.scope
  if (!accepting || !isAnswered) return state
  const picked = answer.hits[window.selected]
  return picked ? { ...state, picked: { ...picked, action: accepting } } : { ...state, accepting: undefined }
}
