import { stripVTControlCharacters } from "node:util"
import { userEntry } from "@treelog-internal/test-kit"
import { expect, test } from "vitest"
import type { TreeState } from "../../door.js"
import { DETAILS, fieldWith, foldOrGoUp, listHeight, resizeWindow, styleFor, treeFrame, widthOf } from "../../door.js"
import { sampleEntries } from "../../sample.js"
import { LOOK } from "../look.js"
import { stateOf } from "./nodes.js"

function linesOf(state: TreeState, columns: number, rows: number, look = LOOK): readonly string[] {
  const window = resizeWindow(state.window, listHeight(rows, DETAILS), state.rows.length)
  return treeFrame({ ...state, window }, look, { columns, rows }).lines
}

test("shows the filter, the tree as it is drawn elsewhere, and what is known of the selected entry", async () => {
  const lines = linesOf(await stateOf(sampleEntries(), "user-only"), 70, 9)
  expect(lines.map((line) => line.replace(/\d{4}-\d\d-\d\d \d\d:\d\d/, "(time)"))).toEqual([
    "> ",
    " default   no-tools  [user-only]  labeled-only   all    3 entries",
    "  ● aaaa0002 user  Add a discount field",
    "  ├─○ aaaa0006 user  Rewrite it all",
    "> ● aaaa0009 user  Only fix the tests  ← leaf below",
    "",
    "(time)  aaaa0009  user",
    "Enter go  Esc cancel  ? keys  <- fold  -> unfold  L label  ^U user",
  ])
})

test("says how much a folded branch hides", async () => {
  const state = await stateOf([userEntry("a", null), userEntry("b", "a"), userEntry("c", "b")])
  expect(linesOf(foldOrGoUp(foldOrGoUp(state)), 60, 9)[2]).toBe("> ● a user  a  (+2)  ← leaf below")
})

test.each([
  [{ kind: "label", entryId: "a", field: fieldWith("変更") } as const, "Label: 変更"],
  [{ kind: "summary", entryId: "a" } as const, "Summarize the branch that you leave? y/N/i"],
  [{ kind: "instructions", entryId: "a", field: fieldWith("x") } as const, "Focus on: x"],
  [{ kind: "busy", doing: "Saving the label" } as const, "Saving the label ..."],
])("asks in the first line: %j", async (mode, line) => {
  expect(linesOf({ ...(await stateOf(sampleEntries())), mode }, 60, 9)[0]).toBe(line)
})

test("stored control characters are not drawn", async () => {
  const hostile = "a\u001b[2J\u001b]0;t\u0007b\u009bc\u202ed\r\ne"
  const state = await stateOf([userEntry(hostile, null, hostile)], "all")
  expect(linesOf({ ...state, notice: hostile }, 200, 20).join("")).not.toMatch(/[\p{Cc}\p{Bidi_Control}]/u)
})

test.each([
  [200, 50],
  [80, 24],
  [20, 6],
  [8, 3],
  [1, 1],
])("no line is wider than %i columns, and the last of %i rows stays free", async (columns, rows) => {
  const wide = "変更日志👩‍👧".repeat(30)
  // Each entry begins a branch beside the one before.
  const entries = Array.from({ length: 60 }, (_, at) => userEntry(`e${at}`, at < 2 ? null : `e${at - 2}`, wide))
  const state = await stateOf([...entries, ...entries.map((entry) => ({ ...entry, id: `x${entry.id}` }))])
  for (const env of [{ NO_COLOR: "1" }, { FORCE_COLOR: "1" }, { LANG: "C", NO_COLOR: "1" }]) {
    const look = { ...LOOK, style: styleFor({ isTTY: true, columns }, env, {}) }
    const lines = linesOf(state, columns, rows, look)
    expect(lines.length).toBe(Math.max(1, rows - 1))
    for (const line of lines) expect(widthOf(stripVTControlCharacters(line))).toBeLessThanOrEqual(Math.max(2, columns))
  }
})
