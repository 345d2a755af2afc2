import type { SessionEntry, SessionTreeNode } from "@treelog/session-core"
import { EntryTree, Labels } from "@treelog/session-core/adapter"
import { entry, testTime, userEntry } from "@treelog-internal/test-kit"
import { describe, expect, it } from "vitest"
import { buildTree } from "../door.js"

function treeOf(entries: readonly SessionEntry[]): SessionTreeNode[] {
  return buildTree(new EntryTree(entries), new Labels(entries), (ordinal) => entries[ordinal] as SessionEntry)
}

const shape = (nodes: readonly SessionTreeNode[]): unknown =>
  nodes.map(({ entry, children }) => [entry.id, shape(children)])

describe("buildTree", () => {
  it("nests all entries, roots in file order and children by time", () => {
    const late = { ...userEntry("late", "a"), timestamp: testTime(9) }
    const nodes = treeOf([
      userEntry("a", null),
      late,
      userEntry("soon", "a"),
      userEntry("b", null),
      userEntry("x", "soon"),
    ])
    expect(shape(nodes)).toEqual([
      [
        "a",
        [
          ["soon", [["x", []]]],
          ["late", []],
        ],
      ],
      ["b", []],
    ])
  })

  it("gives labelled entries their label and when it was set, and others neither", () => {
    const label = { ...entry("label", "l", "a", { targetId: "a", label: "start" }), timestamp: testTime(3) }
    const [node] = treeOf([userEntry("a", null), label])
    expect(node).toMatchObject({ label: "start", labelTimestamp: testTime(3) })
    expect(node?.children[0]).toEqual({ entry: label, children: [] })
  })

  it("holds each entry once where links are broken", () => {
    const nodes = treeOf([
      userEntry("a", "b"),
      userEntry("b", "a"),
      userEntry("c", "c"),
      userEntry("d", "gone"),
      userEntry("d", "a"),
    ])
    expect(shape(nodes)).toEqual([
      [
        "a",
        [
          ["b", []],
          ["d", []],
        ],
      ],
      ["c", []],
      ["d", []],
    ])
  })
})
