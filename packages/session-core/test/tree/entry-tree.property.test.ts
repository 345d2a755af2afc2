import type { SessionEntry } from "@treelog/session-core"
import { EntryTree } from "@treelog/session-core/adapter"
import {
  anyShape,
  brokenEntryList,
  shapeId,
  soundShape,
  type TreeShape,
  testTime,
  tries,
} from "@treelog-internal/test-kit"
import fc from "fast-check"
import { describe, expect, it } from "vitest"

type EntryHead = Pick<SessionEntry, "type" | "id" | "parentId" | "timestamp">

const head = (id: string, parentId: string | null, seconds = 0): EntryHead => ({
  type: "custom",
  id,
  parentId,
  timestamp: testTime(seconds),
})

const treeOf = (...heads: EntryHead[]) => new EntryTree(heads)
const faults = (tree: EntryTree) => tree.faults().map(({ kind, ordinal }) => [kind, ordinal])

/** All that a tree says of its links. */
function described(tree: EntryTree): unknown {
  const ordinals = [...Array(tree.size).keys()]
  return [
    tree.roots(),
    ordinals.map((one) => [tree.parentOf(one), tree.childrenOf(one), tree.pathTo(one)]),
    tree.faults(),
  ]
}

function shapeHeads(shape: TreeShape): EntryHead[] {
  return shape.map((parent, ordinal) =>
    head(shapeId(ordinal), parent === null ? null : shapeId(parent), (ordinal * 7) % 5),
  )
}

describe("a sound tree", () => {
  const tree = treeOf(head("a", null, 0), head("b", "a", 9), head("c", "a", 5), head("d", "b", 6), head("e", null, 1))

  it("knows parents, and the way from the root", () => {
    expect([0, 1, 2, 3, 4].map((ordinal) => tree.parentOf(ordinal))).toEqual([undefined, 0, 0, 1, undefined])
    expect(tree.pathTo(3)).toEqual([0, 1, 3])
    expect(tree.faults()).toEqual([])
  })

  it("gives children by timestamp, and roots in file order", () => {
    expect(tree.childrenOf(0)).toEqual([2, 1])
    expect(tree.roots()).toEqual([0, 4])
    expect(treeOf(head("late", null, 9), head("early", null, 1)).roots()).toEqual([0, 1])
  })

  it("gives children of the same timestamp, and of none, in file order", () => {
    const bad = { ...head("d", "a"), timestamp: "no date" }
    expect(treeOf(head("a", null), head("b", "a", 5), head("c", "a", 5), bad).childrenOf(0)).toEqual([3, 1, 2])
  })

  it("has no entries, roots or faults when it is empty", () => {
    expect([treeOf().size, treeOf().roots(), treeOf().faults()]).toEqual([0, [], []])
  })

  it("takes an id like `__proto__` for an id", () => {
    const odd = treeOf(head("__proto__", null), head("constructor", "__proto__"))
    expect(odd.pathTo(1)).toEqual([0, 1])
    expect(treeOf(head("a", "toString")).faults()).toMatchObject([{ kind: "missing-parent" }])
  })
})

describe("a broken tree", () => {
  it("keeps all entries of a duplicate id; the last is found, and has the children", () => {
    const tree = treeOf(head("a", null), head("twin", "a"), head("child", "twin"), head("twin", "a"))
    expect(tree.size).toBe(4)
    expect(tree.ordinalOf("twin")).toBe(3)
    expect(tree.pathTo(2)).toEqual([0, 3, 2])
    expect(tree.childrenOf(0)).toEqual([1, 3])
    expect(tree.childrenOf(1)).toEqual([])
    expect(faults(tree)).toEqual([["duplicate-id", 1]])
  })

  it("reads an entry whose parent is missing as a root, and reports it", () => {
    const tree = treeOf(head("a", null), head("b", "gone"), head("c", "b"))
    expect(tree.roots()).toEqual([0, 1])
    expect(tree.pathTo(2)).toEqual([1, 2])
    expect(tree.faults()).toMatchObject([{ kind: "missing-parent", ordinal: 1, entryId: "b" }])
  })

  it("reads an entry that is its own parent as a root, and reports it", () => {
    const tree = treeOf(head("a", "a"), head("b", "a"))
    expect(tree.pathTo(1)).toEqual([0, 1])
    expect(faults(tree)).toEqual([["self-parent", 0]])
  })

  it("finds the parent of a child that stands before it", () => {
    const tree = treeOf(head("child", "parent"), head("parent", null), head("grandchild", "child"))
    expect(tree.pathTo(2)).toEqual([1, 0, 2])
    expect(tree.roots()).toEqual([1])
    expect(tree.faults()).toEqual([])
  })

  it("cuts a cycle at its first entry in the file, and reports it", () => {
    const tree = treeOf(head("a", "c"), head("b", "a"), head("c", "b"), head("tail", "b"))
    expect(tree.roots()).toEqual([0])
    expect(tree.pathTo(2)).toEqual([0, 1, 2])
    expect(tree.pathTo(3)).toEqual([0, 1, 3])
    expect(faults(tree)).toEqual([["cycle", 0]])
  })

  it("cuts each of several cycles once, however one comes upon them", () => {
    const tree = treeOf(
      head("into", "b"),
      head("a", "b"),
      head("b", "a"),
      head("x", "z"),
      head("y", "x"),
      head("z", "y"),
    )
    expect(faults(tree)).toEqual([
      ["cycle", 1],
      ["cycle", 3],
    ])
    expect(tree.pathTo(0)).toEqual([1, 2, 0])
    expect(tree.pathTo(5)).toEqual([3, 4, 5])
  })

  it("ends in a cycle of two entries that duplicate ids make", () => {
    const tree = treeOf(head("a", null), head("b", "a"), head("a", "b"))
    expect(tree.pathTo(2)).toEqual([1, 2])
    expect(faults(tree)).toEqual([
      ["duplicate-id", 0],
      ["cycle", 1],
    ])
  })

  it("is a forest without circles for any links, each entry in it once", () => {
    fc.assert(
      fc.property(anyShape, (shape) => {
        const tree = treeOf(...shapeHeads(shape))
        const seen: number[] = []
        const waiting = [...tree.roots()]
        for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
          seen.push(next)
          waiting.push(...tree.childrenOf(next))
        }
        expect(seen.sort((a, b) => a - b)).toEqual([...shape.keys()])
        for (const ordinal of shape.keys()) expect(tree.pathTo(ordinal).at(-1)).toBe(ordinal)
      }),
      { numRuns: tries(300) },
    )
  })

  it("keeps every link that is sound, and reports exactly those entries whose link it could not keep", () => {
    fc.assert(
      fc.property(anyShape, (shape) => {
        const tree = treeOf(...shapeHeads(shape))
        const broken = new Set(tree.faults().map(({ ordinal }) => ordinal))
        shape.forEach((parent, ordinal) => {
          const kept = tree.parentOf(ordinal) === (parent ?? undefined)
          expect(kept).toBe(!broken.has(ordinal))
        })
      }),
      { numRuns: tries(300) },
    )
  })
})

describe("a growing tree", () => {
  it("says the same as one that was made at once, asked after each entry or only in the end", () => {
    fc.assert(
      fc.property(fc.oneof(anyShape, soundShape).map(shapeHeads), fc.boolean(), (heads, asked) => {
        const grown = new EntryTree()
        heads.forEach((one, index) => {
          grown.add(one)
          if (asked) expect(described(grown)).toEqual(described(new EntryTree(heads.slice(0, index + 1))))
        })
        expect(described(grown)).toEqual(described(new EntryTree(heads)))
      }),
      { numRuns: tries(150) },
    )
  })

  it("says the same with duplicate ids", () => {
    const ids = fc.constantFrom("a", "b", "c", "d")
    const heads = fc.array(fc.tuple(ids, fc.option(ids)), { maxLength: 10 })
    fc.assert(
      fc.property(heads, (pairs) => {
        const all = pairs.map(([id, parentId]) => head(id, parentId))
        const grown = new EntryTree()
        for (const one of all) {
          grown.add(one)
          grown.roots()
        }
        expect(described(grown)).toEqual(described(new EntryTree(all)))
      }),
      { numRuns: tries(300) },
    )
  })

  it("ends every walk over entries of any kind with any links", () => {
    fc.assert(
      fc.property(brokenEntryList, (entries) => {
        const tree = new EntryTree(entries)
        for (const ordinal of entries.keys()) expect(tree.pathTo(ordinal).length).toBeLessThanOrEqual(entries.length)
      }),
      { numRuns: tries(100) },
    )
  })
})
