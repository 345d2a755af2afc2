import { expect, test } from "vitest"
import type { PickerAction } from "../../src/tui/picker-action.js"
import { initialState, type PickerState } from "../../src/tui/picker-state.js"
import { press, take } from "../../src/tui/press.js"
import { answer, numbered } from "./prompts.js"

const pressed = (state: PickerState, ...actions: readonly PickerAction[]): PickerState => actions.reduce(press, state)
const type = (text: string): PickerAction => ({ kind: "type", text })
const move = (by: number): PickerAction => ({ kind: "move", by })
const ACCEPT: PickerAction = { kind: "accept" }

test("typing asks for what was typed, and begins at the top again", () => {
  const state = pressed(initialState(answer({}, "a", "b", "c"), 5), move(2), type("x"), type("y"))
  expect(state).toMatchObject({ wanted: { query: "xy", scope: "all" }, selected: 0, top: 0 })
  expect(state.answer.prompts).toHaveLength(3)
})

test.each([
  ["character", "ab cd", "ab c"],
  ["character", "a👩‍👧", "a"],
  ["character", "", ""],
  ["word", "ab cd ", "ab "],
  ["all", "ab cd", ""],
] as const)("erasing a %s of %j leaves %j", (what, query, left) => {
  const state = pressed(initialState(answer({ query }), 5), { kind: "erase", what })
  expect(state.wanted.query).toBe(left)
})

test("the scopes follow each other in both directions, and the query stays", () => {
  let state = initialState(answer({ query: "q" }), 5)
  const seen = [1, 1, 1, 1, -1, -1].map((by) => {
    state = press(state, { kind: "scope", by })
    return state.wanted
  })
  expect(seen.map(({ scope }) => scope)).toEqual(["repository", "cwd", "session", "all", "session", "cwd"])
  expect(new Set(seen.map(({ query }) => query))).toEqual(new Set(["q"]))
})

test("the selection stays within what was found, and in sight", () => {
  const state = initialState(answer({}, ...numbered(10)), 4)
  expect(pressed(state, move(-1))).toMatchObject({ selected: 0, top: 0 })
  expect(pressed(state, move(4))).toMatchObject({ selected: 4, top: 1 })
  expect(pressed(state, { kind: "page", by: 1 }, { kind: "page", by: 1 }, move(-1))).toMatchObject({
    selected: 7,
    top: 5,
  })
  expect(pressed(state, move(Number.POSITIVE_INFINITY))).toMatchObject({ selected: 9, top: 6 })
  expect(pressed(state, move(9), { kind: "resize", height: 2 })).toMatchObject({ selected: 9, top: 8 })
  expect(pressed(initialState(answer({}), 4), move(3))).toMatchObject({ selected: 0, top: 0 })
})

test("near the end of a full answer, more is asked for, once, and the selection stays", () => {
  const state = initialState(answer({}, ...numbered(200)), 10)
  expect(pressed(state, move(100)).wanted).toBe(state.wanted)
  const near = pressed(state, move(190))
  expect(near.wanted).toEqual({ query: "", scope: "all", limit: 800 })
  expect(pressed(near, move(5)).wanted).toBe(near.wanted)
  const more = take(near, { request: near.wanted, prompts: answer({}, ...numbered(300)).prompts })
  expect(more).toMatchObject({ selected: 190, wanted: { limit: 800 } })
  expect(pressed(more, move(109)).wanted).toBe(more.wanted)
})

test("an answer to what is no longer wanted changes nothing", () => {
  const first = pressed(initialState(answer({}, "old"), 5), type("a"))
  const second = pressed(first, type("b"))
  expect(take(second, { request: first.wanted, prompts: [] })).toBe(second)
})

test("Enter picks what is selected", () => {
  const state = pressed(initialState(answer({}, "a", "b"), 5), move(1), ACCEPT)
  expect(state.outcome).toMatchObject({ kind: "picked", prompt: { text: "b" } })
  expect(pressed(state, type("x"))).toBe(state)
})

test("Enter before the answer waits for it, and picks nothing of the one before", () => {
  const waiting = pressed(initialState(answer({}, "old"), 5), type("n"), ACCEPT)
  expect(waiting.outcome).toBeUndefined()
  const found = take(waiting, { request: waiting.wanted, prompts: answer({}, "new").prompts })
  expect(found.outcome).toMatchObject({ kind: "picked", prompt: { text: "new" } })
})

test("Enter where nothing was found stays, also when something is found later", () => {
  const none = pressed(initialState(answer({}), 5), ACCEPT)
  expect(none).toMatchObject({ isAccepting: false })
  const typed = pressed(none, type("x"))
  expect(take(typed, { request: typed.wanted, prompts: answer({}, "new").prompts }).outcome).toBeUndefined()
})

test("Escape leaves", () => {
  expect(pressed(initialState(answer({}, "a"), 5), { kind: "leave" }).outcome).toEqual({ kind: "left" })
})
