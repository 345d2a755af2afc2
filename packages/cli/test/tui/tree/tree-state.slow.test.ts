import { userEntry } from "@treelog-internal/test-kit"
import { expect, test } from "vitest"
import { changeTree, fieldWith, foldOrGoUp, selectedNode, type TreeState } from "../../door.js"
import { shownIds, stateOf } from "./nodes.js"

const selected = (state: TreeState): string | undefined => selectedNode(state)?.entry.id

test("a chain of 20,000 entries is folded, unfolded and searched", async () => {
  const chain = Array.from({ length: 20_000 }, (_, at) => userEntry(`e${at}`, at === 0 ? null : `e${at - 1}`, `n${at}`))
  const state = await stateOf(chain)
  expect(selected(state)).toBe("e19999")
  const top = foldOrGoUp(state)
  expect(selected(top)).toBe("e0")
  expect(shownIds(foldOrGoUp(top))).toEqual(["e0"])
  expect(shownIds(changeTree(state, { query: fieldWith("n1234 user") }))).toHaveLength(11)
})
