import type { Prompt } from "@treelog/session-core/prompt-history"
import type { ScopeName } from "../../prompts/prompt-scope.js"
import type { KeyName, KeyPress } from "../frame/key-reader.js"
import { type ListWindow, moveByKey, resizeWindow, selectRow, windowOf } from "../frame/list-frame.js"
import { editField, fieldWith, type TextField } from "../frame/text-field.js"

/** What is looked for. */
export interface PromptRequest {
  readonly query: string
  readonly scope: ScopeName
  /** At most so many prompts. More are asked for when the selection comes near the end. */
  readonly limit: number
}

/** The result: prompts, or a sentence with the reason why there are none. */
export interface PromptAnswer {
  readonly request: PromptRequest
  readonly prompts: readonly Prompt[]
  readonly notice?: string | undefined
}

export interface PromptState {
  /** The query as it is written. */
  readonly field: TextField
  readonly wanted: PromptRequest
  /** To what is wanted, or to what was wanted before. */
  readonly answer: PromptAnswer
  /** Of the prompts of the answer. */
  readonly window: ListWindow
  /** Enter was pressed, and waits for the answer. */
  readonly isAccepting: boolean
  readonly picked?: Prompt
}

export const SCOPES: readonly ScopeName[] = ["all", "repository", "cwd", "session"]

/** Prompts that are asked for at first. */
export const FIRST_LIMIT = 200

/** The state before the first key. */
export function initialState(answer: PromptAnswer, height = 1): PromptState {
  const { request } = answer
  return { field: fieldWith(request.query), wanted: request, answer, window: windowOf(height), isAccepting: false }
}

/** What shells and other finders have, too. */
const ALIASES: Readonly<Partial<Record<KeyName, KeyName>>> = {
  "ctrl-n": "down",
  "ctrl-p": "up",
  "ctrl-k": "up",
  "ctrl-j": "down",
  "ctrl-r": "tab",
}

/** The state after a key. */
export function press(state: PromptState, key: KeyPress): PromptState {
  if (state.picked) return state
  if (key.kind === "key") {
    const name = ALIASES[key.name] ?? key.name
    const moved = moveByKey(state.window, name, state.answer.prompts.length)
    if (moved) return inSight(state, moved)
    if (name === "enter") return accept({ ...state, isAccepting: true })
    if (name === "tab" || name === "shift-tab") return nextScope(state, name === "tab" ? 1 : -1)
  }
  const field = editField(state.field, key)
  return field ? ask({ ...state, field }, { query: field.text }) : state
}

/** The state when something was found. An answer to what is no longer wanted changes nothing. */
export function take(state: PromptState, answer: PromptAnswer): PromptState {
  if (state.picked || answer.request !== state.wanted) return state
  const { window } = state
  return accept(inSight({ ...state, answer }, selectRow(window, window.selected, answer.prompts.length)))
}

/** There is room for so many rows of prompts now. */
export function resize(state: PromptState, height: number): PromptState {
  return inSight(state, resizeWindow(state.window, height, state.answer.prompts.length))
}

/** Asks for more where the end is near. */
function inSight(state: PromptState, window: ListWindow): PromptState {
  const { answer, wanted } = state
  const count = answer.prompts.length
  const moved = { ...state, window }
  const isNearEnd = count === wanted.limit && window.selected + 2 * window.height >= count
  return isNearEnd && wanted === answer.request ? { ...moved, wanted: { ...wanted, limit: 4 * wanted.limit } } : moved
}

function nextScope(state: PromptState, by: number): PromptState {
  const { scope } = state.wanted
  return ask(state, { scope: SCOPES.at((SCOPES.indexOf(scope) + by) % SCOPES.length) ?? scope })
}

function ask(state: PromptState, change: Partial<PromptRequest>): PromptState {
  const wanted = { ...state.wanted, ...change, limit: FIRST_LIMIT }
  if (wanted.query === state.wanted.query && wanted.scope === state.wanted.scope) return state
  return { ...state, wanted, window: { ...state.window, selected: 0, top: 0 }, isAccepting: false }
}

/** What is picked answers what was typed, and never what was typed before. */
function accept(state: PromptState): PromptState {
  const { isAccepting, answer, wanted, window } = state
  const isAnswered = answer.request.query === wanted.query && answer.request.scope === wanted.scope
  if (!isAccepting || !isAnswered) return state
  const prompt = answer.prompts[window.selected]
  return prompt ? { ...state, picked: prompt } : { ...state, isAccepting: false }
}
