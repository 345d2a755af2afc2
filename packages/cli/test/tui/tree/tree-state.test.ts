import { userEntry } from "@treelog-internal/test-kit"
import { expect, test } from "vitest"
import { changeTree, fieldWith, foldOrGoUp, selectedNode, type TreeState, unfoldOrGoDown } from "../../door.js"
import { sampleEntries } from "../../sample.js"
import { shownIds, stateOf } from "./nodes.js"

/** Two branches at `b`; the second one branches again at `f`. */
const FORKS = [
  userEntry("a", null, "the root"),
  userEntry("b", "a", "asked"),
  userEntry("c", "b", "one way"),
  userEntry("d", "c", "and on"),
  userEntry("e", "b", "another way"),
  userEntry("f", "e", "which forks"),
  userEntry("g", "f", "left 変更"),
  userEntry("h", "f", "right"),
]

const selected = (state: TreeState): string | undefined => selectedNode(state)?.entry.id
const select = (state: TreeState, id: string): TreeState => ({
  ...state,
  window: { ...state.window, selected: shownIds(state).indexOf(id) },
})

test("at first, the leaf is selected, depth first", async () => {
  const state = await stateOf(FORKS)
  expect(shownIds(state)).toEqual([..."abcdefgh"])
  expect(selected(state)).toBe("h")
})

test("where a filter hides what is selected, the nearest above it is; what is shown again stays selected", async () => {
  const state = select(await stateOf(sampleEntries()), "aaaa000c")
  const users = changeTree(state, { filter: "user-only" })
  expect({ rows: shownIds(users), selected: selected(users) }).toEqual({
    rows: ["aaaa0002", "aaaa0006", "aaaa0009"],
    selected: "aaaa0009",
  })
  expect(selected(changeTree(users, { filter: "all" }))).toBe("aaaa0009")
  expect(shownIds(changeTree(state, { filter: "labeled-only" }))).toEqual(["aaaa0005"])
})

test("a query leaves what holds every word of it, in labels, ids, speakers and texts", async () => {
  const state = await stateOf(sampleEntries())
  const found = (query: string): string[] => shownIds(changeTree(state, { query: fieldWith(query) }))
  expect(found("WORKS")).toEqual(["aaaa0005"])
  expect(found("user test")).toEqual(["aaaa0009"])
  expect(found("line 15")).toEqual(["aaaa0004"])
  expect(found("aaaa000d")).toEqual(["aaaa000d"])
  expect(found("nowhere")).toEqual([])
})

test("Left folds where a branch begins or forks, and otherwise goes up to there", async () => {
  const state = select(await stateOf(FORKS), "d")
  const atC = foldOrGoUp(state)
  expect(selected(atC)).toBe("c")
  const folded = foldOrGoUp(atC)
  expect({ rows: shownIds(folded), hidden: [...folded.hidden.values()] }).toEqual({ rows: [..."abcefgh"], hidden: [1] })
  const atB = foldOrGoUp(folded)
  expect(selected(atB)).toBe("b")
  const foldedB = foldOrGoUp(atB)
  expect({ rows: shownIds(foldedB), hidden: [...foldedB.hidden.values()] }).toEqual({ rows: ["a", "b"], hidden: [6] })
  expect(shownIds(foldOrGoUp(foldOrGoUp(foldedB)))).toEqual(["a"])
})

test("Left goes past branches beside it", async () => {
  const state = select(await stateOf(FORKS), "h")
  expect(selected(foldOrGoUp(state))).toBe("f")
  expect(selected(foldOrGoUp(select(state, "e")))).toBe("e")
})

test("Right unfolds, and otherwise goes down to where a branch begins or forks", async () => {
  const state = select(await stateOf(FORKS), "b")
  const folded = foldOrGoUp(state)
  const open = unfoldOrGoDown(folded)
  expect({ rows: shownIds(open), selected: selected(open) }).toEqual({ rows: [..."abcdefgh"], selected: "b" })
  const places = [open]
  for (let times = 0; times < 5; times++) places.push(unfoldOrGoDown(places[times] ?? open))
  expect(places.map(selected)).toEqual(["b", "c", "e", "f", "g", "h"])
})

test("what is folded is found all the same, and folded again afterwards", async () => {
  const folded = foldOrGoUp(select(await stateOf(FORKS), "e"))
  expect(shownIds(folded)).toEqual([..."abcde"])
  const found = changeTree(folded, { query: fieldWith("変更") })
  expect(shownIds(found)).toEqual(["g"])
  const back = changeTree(found, { query: fieldWith("") })
  expect({ rows: shownIds(back), selected: selected(back) }).toEqual({ rows: [..."abcde"], selected: "e" })
})

test("keys in a tree without entries do nothing", async () => {
  const empty = await stateOf([])
  expect(foldOrGoUp(empty)).toBe(empty)
  expect(unfoldOrGoDown(empty).rows).toEqual([])
  expect(changeTree(empty, { filter: "all" }).window.selected).toBe(0)
})
