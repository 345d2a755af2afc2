import { expect, test } from "vitest"
import { widthOf } from "../../../src/render/width.js"
import type { Frame } from "../../../src/tui/frame/picker.js"
import { hitFrame, hitsHeight } from "../../../src/tui/hits/hit-frame.js"
import { type FoundHit, hitState, indexedMore, resizeHits, takeHits } from "../../../src/tui/hits/hit-state.js"
import { LOOK } from "../look.js"
import { answerTo, foundHit } from "./hits.js"

function frameOf(hits: FoundHit[], columns: number, rows: number, progress = ""): Frame {
  const state = resizeHits(indexedMore(hitState("ne", "project"), progress), hitsHeight(rows))
  return hitFrame(takeHits(state, answerTo(state.wanted, ...hits)), LOOK, { columns, rows })
}

test("shows the query, the scope, the hits around what matched, and more of the selected one", () => {
  const long = `${"before ".repeat(10)}the [needle] in the haystack`
  const { lines, cursor } = frameOf(
    [foundHit(long, 1, "Fix the test"), foundHit("[needle] 变更", 120, "Older")],
    60,
    12,
  )
  expect(lines.map((line) => line.replace(/\d{4}-\d\d-\d\d \d\d:\d\d/, "(time)"))).toEqual([
    "> ne",
    "[project]  all    2",
    expect.stringMatching(/^> 1m {2}Fix the test {4,}….*the needle in the h/),
    expect.stringMatching(/^ {2}2h {2}Older {4,}needle 变更$/),
    "",
    "",
    "(time) · user · s1 · ~/shop",
    expect.stringMatching(/^before before/),
    expect.stringMatching(/needle in the haystack$/),
    "",
    expect.stringMatching(/^Enter go on from here/),
  ])
  expect(cursor).toBe(4)
})

test("says how far the index is, and that nothing was found so far", () => {
  const { lines } = frameOf([], 80, 12, "Indexed 5 of 9 sessions, 1 MB read")
  expect(lines[1]).toContain("Indexed 5 of 9 sessions")
  expect(lines[2]).toBe("Nothing so far.")
  expect(frameOf([], 80, 12).lines[2]).toBe("Nothing was found.")
})

test.each([
  [5, 4],
  [10, 5],
  [20, 8],
  [80, 24],
  [200, 50],
])("on %i columns and %i rows no line is wider and no frame is higher than the screen", (columns, rows) => {
  const hits = [1, 2, 3, 4, 5].map((ago) =>
    foundHit(`${"変更 日志 🎉 ".repeat(30)}[needle] ${"a".repeat(300)}`, ago, "変更日志 ".repeat(9)),
  )
  const { lines } = frameOf(hits, columns, rows)
  expect(lines.length).toBeLessThanOrEqual(Math.max(1, rows - 1))
  for (const line of lines) expect(widthOf(line)).toBeLessThanOrEqual(columns)
})
