import { expect, test } from "vitest"
import type { KeyPress } from "../../../src/tui/frame/key-reader.js"
import { type Pressed, pressKey } from "../../../src/tui/sessions/sessions-press.js"
import type { SessionsState } from "../../../src/tui/sessions/sessions-state.js"
import { key, text } from "../look.js"
import { broken, info, shownIds, stateWith } from "./infos.js"

function pressed(state: SessionsState, ...presses: readonly KeyPress[]): Pressed {
  return presses.reduce<Pressed>((now, press) => pressKey(now.state, press), { state })
}

const THREE = [info("a", 1, { name: "Alpha" }), info("b", 2), info("c", 3)]

test("Enter picks the selected session", () => {
  expect(pressed(stateWith(THREE), key("down"), key("enter")).task).toEqual({ kind: "pick", path: "/store/b.jsonl" })
  expect(pressed(stateWith(THREE), text("first of c"), key("enter")).task).toMatchObject({ path: "/store/c.jsonl" })
})

test("Enter picks nothing where nothing is found, nor what cannot be read", () => {
  expect(pressed(stateWith([]), key("enter")).task).toBeUndefined()
  const { state, task } = pressed(stateWith([broken("x")]), key("enter"))
  expect(task).toBeUndefined()
  expect(state.notice).toBe("Cannot read this session: /store/x.jsonl is no session.")
  expect(pressed(state, key("down")).state.notice).toBeUndefined()
})

test("Enter where nothing is found yet says so", () => {
  const listing = { ...stateWith([]), progress: { isListing: true } }
  expect(pressed(listing, key("enter"))).toMatchObject({ state: { notice: "Still searching for sessions." } })
  expect(pressed(stateWith([]), key("enter")).state.notice).toBeUndefined()
})

test.each(["escape", "ctrl-c", "ctrl-g"] as const)("%s leaves", (name) => {
  expect(pressed(stateWith(THREE), key(name)).task).toEqual({ kind: "leave" })
})

test("keys change the scope, the order, and what is shown", () => {
  const start = stateWith(THREE)
  expect(pressed(start, key("tab")).state.view.scope).toBe("all")
  expect(pressed(start, key("tab"), key("shift-tab")).state.view.scope).toBe("project")
  expect(pressed(start, key("ctrl-s")).state.view.sort).toBe("name")
  expect(pressed(start, key("ctrl-s"), key("ctrl-s"), key("ctrl-s")).state.view.sort).toBe("activity")
  expect(shownIds(pressed(start, key("ctrl-n")).state)).toEqual(["a"])
  expect(pressed(start, key("ctrl-p")).state.view.paths).toBe(true)
})

test("a new name begins with the old one; Enter gives it, Escape does not", () => {
  const asking = pressed(stateWith(THREE), key("ctrl-r"))
  expect(asking.state.mode).toMatchObject({ kind: "rename", field: { text: "Alpha" } })
  expect(pressed(asking.state, text(" 2"), key("enter"))).toMatchObject({
    task: { kind: "rename", path: "/store/a.jsonl", name: "Alpha 2" },
    state: { mode: { kind: "busy" } },
  })
  expect(pressed(asking.state, text("x"), key("escape"))).toMatchObject({ state: { mode: { kind: "browse" } } })
  expect(pressed(asking.state, key("ctrl-u"), key("enter")).task).toMatchObject({ name: "" })
})

test("a name that stays the same is not written", () => {
  expect(pressed(stateWith(THREE), key("ctrl-r"), key("enter")).task).toBeUndefined()
})

test("only a clear yes deletes", () => {
  const asking = pressed(stateWith(THREE), key("down"), key("ctrl-d")).state
  expect(asking.mode).toMatchObject({ kind: "delete", info: { id: "b" } })
  expect(pressed(asking, text("y")).task).toEqual({ kind: "delete", path: "/store/b.jsonl" })
  for (const press of [text("n"), key("enter"), key("escape"), text("yes"), { ...text("y"), isPasted: true }]) {
    const { state, task } = pressed(asking, press)
    expect(task).toBeUndefined()
    expect(state).toMatchObject({ mode: { kind: "browse" }, notice: "Not deleted." })
  }
})

test("Ctrl-C leaves also where something is asked or written; other keys wait", () => {
  const renaming = pressed(stateWith(THREE), key("ctrl-r")).state
  expect(pressed(renaming, key("ctrl-c")).task).toEqual({ kind: "leave" })
  const busy = pressed(renaming, text("x"), key("enter")).state
  expect(pressed(busy, key("enter"))).toEqual({ state: busy })
  expect(pressed(busy, key("ctrl-c")).task).toEqual({ kind: "leave" })
})

test("what cannot be read can be deleted, but not named", () => {
  const start = stateWith([broken("x")])
  expect(pressed(start, key("ctrl-r")).state).toMatchObject({ mode: { kind: "browse" }, notice: expect.any(String) })
  expect(pressed(start, key("ctrl-d"), text("y")).task).toEqual({ kind: "delete", path: "/store/x.jsonl" })
})

test("keys in an empty list do nothing", () => {
  for (const name of ["enter", "ctrl-r", "ctrl-d", "up", "end"] as const) {
    const { state, task } = pressed(stateWith([]), key(name))
    expect({ task, mode: state.mode.kind }).toEqual({ task: undefined, mode: "browse" })
  }
})
