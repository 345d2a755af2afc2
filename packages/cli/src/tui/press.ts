import type { PickerAction } from "./picker-action.js"
import { FIRST_LIMIT, type PickerAnswer, type PickerRequest, type PickerState, SCOPES } from "./picker-state.js"

const GRAPHEMES = new Intl.Segmenter()

/** The state after a key. */
export function press(state: PickerState, action: PickerAction): PickerState {
  if (state.outcome) return state
  const { query, scope } = state.wanted
  switch (action.kind) {
    case "type":
      return ask(state, { query: query + action.text })
    case "erase":
      return ask(state, { query: erased(query, action.what) })
    case "scope":
      return ask(state, { scope: SCOPES.at((SCOPES.indexOf(scope) + action.by) % SCOPES.length) ?? scope })
    case "move":
      return select(state, state.selected + action.by)
    case "page":
      return select(state, state.selected + action.by * state.height)
    case "accept":
      return accept({ ...state, isAccepting: true })
    case "leave":
      return { ...state, outcome: { kind: "left" } }
    case "resize":
      return select({ ...state, height: action.height }, state.selected)
  }
}

/** The state when something was found. An answer to what is no longer wanted changes nothing. */
export function take(state: PickerState, answer: PickerAnswer): PickerState {
  if (state.outcome || answer.request !== state.wanted) return state
  return accept(select({ ...state, answer }, state.selected))
}

/** Keeps the selection in sight, and asks for more where the end is near. */
function select(state: PickerState, index: number): PickerState {
  const { answer, wanted, height } = state
  const count = answer.prompts.length
  const selected = Math.max(0, Math.min(index, count - 1))
  const top = Math.max(selected - height + 1, Math.min(state.top, selected))
  const moved = { ...state, selected, top }
  const isNearEnd = count === wanted.limit && selected + 2 * height >= count
  return isNearEnd && wanted === answer.request ? { ...moved, wanted: { ...wanted, limit: 4 * wanted.limit } } : moved
}

function ask(state: PickerState, change: Partial<PickerRequest>): PickerState {
  const wanted = { ...state.wanted, ...change, limit: FIRST_LIMIT }
  if (wanted.query === state.wanted.query && wanted.scope === state.wanted.scope) return state
  return { ...state, wanted, selected: 0, top: 0, isAccepting: false }
}

/** What is picked answers what was typed, and never what was typed before. */
function accept(state: PickerState): PickerState {
  const { isAccepting, answer, wanted, selected } = state
  const isAnswered = answer.request.query === wanted.query && answer.request.scope === wanted.scope
  if (!isAccepting || !isAnswered) return state
  const prompt = answer.prompts[selected]
  return prompt ? { ...state, outcome: { kind: "picked", prompt } } : { ...state, isAccepting: false }
}

function erased(query: string, what: "character" | "word" | "all"): string {
  if (what === "all") return ""
  if (what === "word") return query.replace(/\S*\s*$/, "")
  const last = [...GRAPHEMES.segment(query)].at(-1)
  return query.slice(0, last?.index ?? 0)
}
