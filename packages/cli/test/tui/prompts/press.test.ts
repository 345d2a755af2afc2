import { expect, test } from "vitest"
import type { KeyName, KeyPress } from "../../../src/tui/frame/key-reader.js"
import { initialState, type PromptState, press, resize, take } from "../../../src/tui/prompts/prompt-state.js"
import { answer, numbered } from "./prompts.js"

const pressed = (state: PromptState, ...keys: readonly KeyPress[]): PromptState => keys.reduce(press, state)
const type = (text: string): KeyPress => ({ kind: "text", text, isPasted: false })
const key = (name: KeyName): KeyPress => ({ kind: "key", name })
/** Rows; negative is up. */
const move = (by: number): KeyPress[] => Array(Math.abs(by)).fill(key(by < 0 ? "up" : "down"))
const ACCEPT = key("enter")

test("typing asks for what was typed, and begins at the top again", () => {
  const state = pressed(initialState(answer({}, "a", "b", "c"), 5), ...move(2), type("x"), type("y"))
  expect(state).toMatchObject({ wanted: { query: "xy", scope: "all" }, window: { selected: 0, top: 0 } })
  expect(state.answer.prompts).toHaveLength(3)
})

test("moving the cursor in the query asks for nothing", () => {
  const state = initialState(answer({ query: "ab" }, "ab"), 5)
  const moved = pressed(state, key("left"))
  expect(moved.wanted).toBe(state.wanted)
  expect(pressed(moved, type("x")).wanted.query).toBe("axb")
})

test("the scopes follow each other in both directions, and the query stays", () => {
  let state = initialState(answer({ query: "q" }), 5)
  const seen = (["tab", "tab", "ctrl-r", "tab", "shift-tab", "shift-tab"] as const).map((name) => {
    state = press(state, key(name))
    return state.wanted
  })
  expect(seen.map(({ scope }) => scope)).toEqual(["repository", "cwd", "session", "all", "session", "cwd"])
  expect(new Set(seen.map(({ query }) => query))).toEqual(new Set(["q"]))
})

test("the selection stays within what was found, and in sight", () => {
  const state = initialState(answer({}, ...numbered(10)), 4)
  expect(pressed(state, ...move(-1)).window).toMatchObject({ selected: 0, top: 0 })
  expect(pressed(state, ...move(4)).window).toMatchObject({ selected: 4, top: 1 })
  expect(pressed(state, key("page-down"), key("page-down"), key("ctrl-p")).window).toMatchObject({
    selected: 7,
    top: 5,
  })
  expect(pressed(state, key("end")).window).toMatchObject({ selected: 9, top: 6 })
  expect(resize(pressed(state, ...move(9)), 2).window).toMatchObject({ selected: 9, top: 8 })
  expect(pressed(initialState(answer({}), 4), ...move(3)).window).toMatchObject({ selected: 0, top: 0 })
})

test("near the end of a full answer, more is asked for, once, and the selection stays", () => {
  const state = initialState(answer({}, ...numbered(200)), 10)
  expect(pressed(state, ...move(100)).wanted).toBe(state.wanted)
  const near = pressed(state, ...move(190))
  expect(near.wanted).toEqual({ query: "", scope: "all", limit: 800 })
  expect(pressed(near, ...move(5)).wanted).toBe(near.wanted)
  const more = take(near, { request: near.wanted, prompts: answer({}, ...numbered(300)).prompts })
  expect(more).toMatchObject({ window: { selected: 190 }, wanted: { limit: 800 } })
  expect(pressed(more, ...move(109)).wanted).toBe(more.wanted)
})

test("an answer to what is no longer wanted changes nothing", () => {
  const first = pressed(initialState(answer({}, "old"), 5), type("a"))
  const second = pressed(first, type("b"))
  expect(take(second, { request: first.wanted, prompts: [] })).toBe(second)
})

test("Enter picks what is selected", () => {
  const state = pressed(initialState(answer({}, "a", "b"), 5), ...move(1), ACCEPT)
  expect(state.picked).toMatchObject({ text: "b" })
  expect(pressed(state, type("x"))).toBe(state)
})

test("Enter before the answer waits for it, and picks nothing of the one before", () => {
  const waiting = pressed(initialState(answer({}, "old"), 5), type("n"), ACCEPT)
  expect(waiting.picked).toBeUndefined()
  const found = take(waiting, { request: waiting.wanted, prompts: answer({}, "new").prompts })
  expect(found.picked).toMatchObject({ text: "new" })
})

test("Enter where nothing was found stays, also when something is found later", () => {
  const none = pressed(initialState(answer({}), 5), ACCEPT)
  expect(none).toMatchObject({ isAccepting: false })
  const typed = pressed(none, type("x"))
  expect(take(typed, { request: typed.wanted, prompts: answer({}, "new").prompts }).picked).toBeUndefined()
})
