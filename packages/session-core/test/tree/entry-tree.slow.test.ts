import type { SessionEntry } from "@treelog/session-core"
import { EntryTree } from "@treelog/session-core/adapter"
import { entry, testTime } from "@treelog-internal/test-kit"
import { describe, expect, it } from "vitest"

type EntryHead = Pick<SessionEntry, "type" | "id" | "parentId" | "timestamp">

const head = (id: string, parentId: string | null, seconds = 0): EntryHead => ({
  type: "custom",
  id,
  parentId,
  timestamp: testTime(seconds),
})
const faults = (tree: EntryTree) => tree.faults().map(({ kind, ordinal }) => [kind, ordinal])

describe("a large tree", () => {
  const COUNT = 100_000

  it("is walked 100,000 entries deep", () => {
    const tree = new EntryTree(Array.from({ length: COUNT }, (_, n) => head(`${n}`, n === 0 ? null : `${n - 1}`)))
    expect(tree.pathTo(COUNT - 1)).toHaveLength(COUNT)
    expect(tree.childrenOf(COUNT - 2)).toEqual([COUNT - 1])
    tree.add(head("next", `${COUNT - 1}`))
    expect(tree.pathTo(COUNT)).toHaveLength(COUNT + 1)
  })

  it("is walked where each child stands before its parent", () => {
    const tree = new EntryTree(
      Array.from({ length: COUNT }, (_, n) => head(`${n}`, n === COUNT - 1 ? null : `${n + 1}`)),
    )
    expect(tree.pathTo(0)).toHaveLength(COUNT)
    expect(tree.faults()).toEqual([])
  })

  it("has 100,000 siblings, in order, whichever way they came", () => {
    const siblings = Array.from({ length: COUNT }, (_, n) => head(`${n}`, "root", COUNT - n))
    const tree = new EntryTree([head("root", null), ...siblings])
    expect(tree.childrenOf(0)).toHaveLength(COUNT)
    expect(tree.childrenOf(0)[0]).toBe(COUNT)
  })

  it("has a cycle of 100,000 entries cut once", () => {
    const tree = new EntryTree(Array.from({ length: COUNT }, (_, n) => head(`${n}`, `${(n + 1) % COUNT}`)))
    expect(faults(tree)).toEqual([["cycle", 0]])
    expect(tree.pathTo(1)).toHaveLength(COUNT)
  })

  it("has 50,000 cycles of two", () => {
    const tree = new EntryTree(Array.from({ length: COUNT }, (_, n) => head(`${n}`, `${n ^ 1}`)))
    expect(tree.faults()).toHaveLength(COUNT / 2)
  })

  it("has 100,000 entries of the same id, or of none that is there", () => {
    const twins = new EntryTree(Array.from({ length: COUNT }, () => head("twin", null)))
    expect(twins.faults()).toHaveLength(COUNT - 1)
    const orphans = new EntryTree(Array.from({ length: COUNT }, (_, n) => entry("custom", `${n}`, "gone")))
    expect(orphans.roots()).toHaveLength(COUNT)
  })
})
