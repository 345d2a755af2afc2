import type { SessionEntry, SessionTreeNode } from "@treelog/session-core"
import { EntryTree, Labels } from "@treelog/session-core/adapter"
import { entry, userEntry } from "@treelog-internal/test-kit"
import { describe, expect, it } from "vitest"
import { buildTree } from "../door.js"

function treeOf(entries: readonly SessionEntry[]): SessionTreeNode[] {
  return buildTree(new EntryTree(entries), new Labels(entries), (ordinal) => entries[ordinal] as SessionEntry)
}

describe("buildTree", () => {
  it("nests 100,000 levels", () => {
    const nodes = treeOf(Array.from({ length: 100_000 }, (_, n) => userEntry(`${n}`, n === 0 ? null : `${n - 1}`)))
    let depth = 0
    for (let node = nodes[0]; node; node = node.children[0]) depth += 1
    expect(depth).toBe(100_000)
  })

  it("holds 100,000 siblings with 10,000 labels", () => {
    const siblings = Array.from({ length: 100_000 }, (_, n) => userEntry(`${n}`, "root"))
    const labels = Array.from({ length: 10_000 }, (_, n) =>
      entry("label", `l${n}`, "root", { targetId: `${n}`, label: `L${n}` }),
    )
    const [root] = treeOf([userEntry("root", null), ...siblings, ...labels])
    expect(root?.children).toHaveLength(110_000)
    expect(root?.children.filter(({ label }) => label !== undefined)).toHaveLength(10_000)
  })
})
