import type { KeyName, KeyPress } from "../frame/key-reader.js"
import { moveByKey } from "../frame/list-frame.js"
import { answerKey, editField, fieldWith, LEAVE } from "../frame/text-field.js"
import { SESSION_SORTS } from "./session-row.js"
import { BROWSE, changeQuery, changeView, isLooking, type SessionsState, selectedRow } from "./sessions-state.js"

/** Work beside showing another state. */
export type SessionsTask =
  | { readonly kind: "pick"; readonly path: string }
  | { readonly kind: "leave" }
  | { readonly kind: "rename"; readonly path: string; readonly name: string }
  | { readonly kind: "delete"; readonly path: string }

export interface Pressed {
  readonly state: SessionsState
  readonly task?: SessionsTask
}

/** The effect of a key. */
export function pressKey(before: SessionsState, press: KeyPress): Pressed {
  const state = before.notice === undefined ? before : { ...before, notice: undefined }
  if (press.kind === "key" && press.name === "ctrl-c") return { state, task: { kind: "leave" } }
  switch (state.mode.kind) {
    case "browse":
      return press.kind === "key" ? browseKey(state, press.name) : { state: written(state, press) }
    case "rename":
      return rename(state, state.mode, press)
    case "delete":
      return confirm(state, state.mode, press)
    case "busy":
      return { state }
  }
}

function browseKey(state: SessionsState, name: KeyName): Pressed {
  if (LEAVE.has(name)) return { state, task: { kind: "leave" } }
  const window = moveByKey(state.window, name, state.shown.length)
  if (window) return { state: { ...state, window, hasMoved: true } }
  const { view } = state
  switch (name) {
    case "enter":
      return accept(state)
    case "tab":
    case "shift-tab":
      return { state: changeView(state, { scope: view.scope === "all" ? "project" : "all" }) }
    case "ctrl-s": {
      const next = SESSION_SORTS[(SESSION_SORTS.indexOf(view.sort) + 1) % SESSION_SORTS.length]
      return { state: changeView(state, { sort: next ?? view.sort }) }
    }
    case "ctrl-n":
      return { state: changeView(state, { named: !view.named }) }
    case "ctrl-p":
      return { state: changeView(state, { paths: !view.paths }) }
    case "ctrl-r":
      return { state: askName(state) }
    case "ctrl-d":
      return { state: confirmDeletion(state) }
    default:
      return { state: written(state, { kind: "key", name }) }
  }
}

function written(state: SessionsState, press: KeyPress): SessionsState {
  const query = editField(state.query, press)
  return query ? changeQuery(state, query) : state
}

function accept(state: SessionsState): Pressed {
  const info = selectedRow(state)?.info
  if (!info) return { state: isLooking(state) ? { ...state, notice: "Still searching for sessions." } : state }
  if (info.error) return { state: { ...state, notice: `Cannot read this session: ${info.error.message}` } }
  return { state, task: { kind: "pick", path: info.path } }
}

function askName(state: SessionsState): SessionsState {
  const info = selectedRow(state)?.info
  if (!info) return state
  if (info.error) return { ...state, notice: "A session that cannot be read cannot be named." }
  return { ...state, mode: { kind: "rename", info, field: fieldWith(info.name ?? "") }, hasMoved: true }
}

function confirmDeletion(state: SessionsState): SessionsState {
  const info = selectedRow(state)?.info
  return info ? { ...state, mode: { kind: "delete", info }, hasMoved: true } : state
}

function rename(state: SessionsState, mode: SessionsState["mode"] & { kind: "rename" }, press: KeyPress): Pressed {
  const { info, field } = mode
  const answer = answerKey(field, press)
  if (answer !== "leave" && "field" in answer) return { state: { ...state, mode: { ...mode, field: answer.field } } }
  if (answer === "leave" || answer.submitted === (info.name ?? "")) return { state: { ...state, mode: BROWSE } }
  return {
    state: { ...state, mode: { kind: "busy", doing: "Saving the name" } },
    task: { kind: "rename", path: info.path, name: answer.submitted },
  }
}

/** Only `y` deletes. */
function confirm(state: SessionsState, { info }: SessionsState["mode"] & { kind: "delete" }, press: KeyPress): Pressed {
  const isYes = press.kind === "text" && !press.isPasted && press.text.toLowerCase() === "y"
  if (!isYes) return { state: { ...state, mode: BROWSE, notice: "Not deleted." } }
  return {
    state: { ...state, mode: { kind: "busy", doing: "Moving to the trash" } },
    task: { kind: "delete", path: info.path },
  }
}
