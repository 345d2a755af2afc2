import { expect, test } from "vitest"
import type { KeyPress } from "../../door.js"
import { pressInTree, selectedNode, type TreePressed, type TreeState } from "../../door.js"
import { sampleEntries } from "../../sample.js"
import { key, text } from "../look.js"
import { stateOf } from "./nodes.js"

function pressed(state: TreeState, presses: readonly KeyPress[], asks = false): TreePressed {
  return presses.reduce<TreePressed>((now, press) => pressInTree(now.state, press, () => asks), { state })
}

const LEAF = "aaaa000d"

test("Enter goes to the selected entry", async () => {
  const state = await stateOf(sampleEntries())
  expect(pressed(state, [key("enter")]).task).toEqual({ kind: "pick", choice: { entryId: LEAF, summarize: false } })
  expect(pressed(state, [key("home"), key("enter")]).task).toMatchObject({ choice: { entryId: "aaaa0002" } })
})

test.each(["escape", "ctrl-c", "ctrl-g"] as const)("%s leaves", async (name) => {
  expect(pressed(await stateOf(sampleEntries()), [key(name)]).task).toEqual({ kind: "leave" })
})

test("keys choose among the filters", async () => {
  const state = await stateOf(sampleEntries())
  const filters = [1, 2, 3, 4, 5].map((times) => pressed(state, Array(times).fill(key("ctrl-o"))).state.filter)
  expect(filters).toEqual(["no-tools", "user-only", "labeled-only", "all", "default"])
  expect(pressed(state, [key("ctrl-u")]).state.filter).toBe("user-only")
  expect(pressed(state, [key("ctrl-u"), key("ctrl-u")]).state.filter).toBe("default")
  for (const [name, filter] of [
    ["ctrl-t", "no-tools"],
    ["ctrl-l", "labeled-only"],
    ["ctrl-a", "all"],
    ["ctrl-d", "default"],
  ] as const)
    expect(pressed(state, [key("ctrl-o"), key(name)]).state.filter).toBe(filter)
})

test("a capital L labels; what was typed before it is looked for first, and what follows begins the label", async () => {
  const state = await stateOf(sampleEntries())
  const asking = pressed(state, [text("placeLgood")]).state
  expect(asking.query.text).toBe("place")
  expect(asking.mode).toEqual({ kind: "label", entryId: "aaaa0005", field: { text: "worksgood", cursor: 9 } })
  expect(pressed(asking, [key("ctrl-u"), text("new"), key("enter")])).toMatchObject({
    task: { kind: "label", entryId: "aaaa0005", text: "new" },
    state: { mode: { kind: "busy" } },
  })
  expect(pressed(asking, [key("ctrl-u"), key("enter")]).task).toMatchObject({ text: "" })
  expect(pressed(asking, [key("escape")]).state.mode).toEqual({ kind: "browse" })
})

test("a label that stays the same is not written, and pasted text labels nothing", async () => {
  const state = pressed(await stateOf(sampleEntries()), [text("place")]).state
  expect(pressed(state, [text("L"), key("enter")]).task).toBeUndefined()
  const pasted = pressed(state, [{ ...text(" L"), isPasted: true }]).state
  expect(pasted).toMatchObject({ mode: { kind: "browse" }, query: { text: "place L" } })
})

test("where there is nothing to select, nothing is labelled or taken", async () => {
  const nothing = pressed(await stateOf(sampleEntries()), [text("nowhere")]).state
  expect(selectedNode(nothing)).toBeUndefined()
  expect(pressed(nothing, [key("enter")]).task).toBeUndefined()
  expect(pressed(nothing, [text("L")]).state.mode.kind).toBe("browse")
})

test("where something is left behind, a summary is asked for", async () => {
  const asking = pressed(await stateOf(sampleEntries()), [key("enter")], true)
  expect(asking).toMatchObject({ state: { mode: { kind: "summary", entryId: LEAF } } })
  expect(asking.task).toBeUndefined()
  const choice = (presses: readonly KeyPress[]) => pressed(asking.state, presses, true).task
  expect(choice([text("y")])).toEqual({ kind: "pick", choice: { entryId: LEAF, summarize: true } })
  expect(choice([text("n")])).toEqual({ kind: "pick", choice: { entryId: LEAF, summarize: false } })
  expect(choice([key("enter")])).toEqual({ kind: "pick", choice: { entryId: LEAF, summarize: false } })
  expect(choice([text("i"), text("the tests"), key("enter")])).toEqual({
    kind: "pick",
    choice: { entryId: LEAF, summarize: true, instructions: "the tests" },
  })
  expect(choice([text("x")])).toBeUndefined()
  expect(pressed(asking.state, [text("i"), key("escape"), key("escape")], true).state.mode.kind).toBe("browse")
})
