import type { SessionEntry, SessionTreeNode } from "@treelog/session-core"
import { tries, userEntry } from "@treelog-internal/test-kit"
import fc from "fast-check"
import { expect, test } from "vitest"
import { styleFor, treeLines, treeView, type ViewNode, viewRows, widthOf } from "../door.js"

const COLUMNS = 80
const LEAST_TEXT = 40

interface Drawn {
  readonly roots: readonly ViewNode[]
  readonly active: ReadonlySet<SessionEntry>
}

/**
 * A tree of entries with long texts.
 * @param parents for each entry, the place of its parent; a negative one for a root
 * @param leaf the place where the current path ends
 */
function drawn(parents: readonly number[], leaf: number): Drawn {
  const roots: SessionTreeNode[] = []
  const nodes = parents.map((parent, at): SessionTreeNode => {
    const id = String(at).padStart(8, "0")
    return { entry: userEntry(id, parent < 0 ? null : String(parent), "x".repeat(200)) as SessionEntry, children: [] }
  })
  for (const [at, node] of nodes.entries()) (nodes[parents[at] ?? -1]?.children ?? roots).push(node)
  const active = new Set<SessionEntry>()
  for (let at = leaf; at >= 0; at = parents[at] ?? -1) {
    const node = nodes[at]
    if (node) active.add(node.entry)
  }
  return { roots: treeView(roots, "all"), active }
}

function linesOf({ roots, active }: Drawn): string[] {
  const style = styleFor({ isTTY: true, columns: COLUMNS }, { NO_COLOR: "1" }, {})
  return [...treeLines(roots, { style, shortId: (id) => id, active, leaf: undefined })]
}

/** Trees of all shapes: chains, bushes, and branches within branches. */
const shapes = fc
  .array(fc.tuple(fc.nat(), fc.boolean()), { minLength: 1, maxLength: 120 })
  .map((steps) => steps.map(([back, isNear], at) => at - 1 - (isNear ? back % 2 : back % (at + 1))))

test("every entry is shown once, below its parent, and the current path in the first column", () => {
  fc.assert(
    fc.property(shapes, fc.nat(), (parents, place) => {
      const tree = drawn(parents, place % parents.length)
      const rows = [...viewRows(tree.roots, tree.active)]
      expect(rows.map(({ node }) => Number(node.entry.id)).sort((a, b) => a - b)).toEqual([...parents.keys()])
      const seen = new Set<ViewNode>()
      for (const { node, rails, begins } of rows) {
        if (node.parent) expect(seen.has(node.parent)).toBe(true)
        seen.add(node)
        if (tree.active.has(node.entry)) expect({ depth: rails.depth, begins }).toEqual({ depth: 0, begins: undefined })
      }
    }),
    { numRuns: tries(100) },
  )
})

test("on a screen of 80 columns, each line has at least 40 columns of text, whatever hangs beside what", () => {
  fc.assert(
    fc.property(shapes, fc.nat(), (parents, place) => {
      for (const line of linesOf(drawn(parents, place % parents.length))) {
        expect(widthOf(line)).toBeLessThanOrEqual(COLUMNS)
        expect(/x+…$/.exec(line)?.[0].length).toBeGreaterThanOrEqual(LEAST_TEXT)
      }
    }),
    { numRuns: tries(100) },
  )
})

test("so they have in 3,000 entries whose side branches lie within each other", () => {
  // Each odd entry goes on from the one two before: the even ones hang beside; the current path ends at the first.
  const parents = Array.from({ length: 3_000 }, (_, at) => at - 1 - (at % 2))
  for (const leaf of [0, 9_999, 5_000]) {
    const lines = linesOf(drawn(parents, leaf))
    expect(lines).toHaveLength(3_000)
    for (const line of lines) expect(/x+…$/.exec(line)?.[0].length).toBeGreaterThanOrEqual(LEAST_TEXT)
  }
})

test("side branches hang before the current path goes on, and below its end", () => {
  // a ─ b ─ e ─ f (leaf) ─ h, beside b: c ─ d, and below f also g.
  const tree = drawn([-1, 0, 1, 2, 1, 4, 5, 5], 5)
  const marks = linesOf(tree).map((line) => line.replace(/0{7}(\d).*/, "$1"))
  expect(marks).toEqual(["● 0", "● 1", "├─○ 2", "│ ○ 3", "● 4", "● 5", "├─○ 6", "└─○ 7"])
})
