import { stripVTControlCharacters } from "node:util"
import { expect, test } from "vitest"
import { styleFor } from "../../../src/render/style.js"
import { widthOf } from "../../../src/render/width.js"
import { resizeWindow } from "../../../src/tui/frame/list-frame.js"
import { fieldWith } from "../../../src/tui/frame/text-field.js"
import { sessionsFrame, sessionsHeight } from "../../../src/tui/sessions/sessions-frame.js"
import { changeQuery, changeView, type SessionsState } from "../../../src/tui/sessions/sessions-state.js"
import { LOOK } from "../look.js"
import { broken, info, stateWith, withSaid } from "./infos.js"

function linesOf(state: SessionsState, columns = 60, rows = 9, look = LOOK): readonly string[] {
  const window = resizeWindow(state.window, sessionsHeight(state, rows), state.shown.length)
  return sessionsFrame({ ...state, window }, look, { columns, rows }).lines
}

const TWO = [
  info("aaaa", 1, { name: "変更 🎉 name", messageCount: 12 }),
  info("bbbb", 30, { cwd: "/home/me/other", firstMessage: "Mend the\nflaky test" }),
]

test("shows what is looked for, where, in which order, and what is known of each session", () => {
  expect(
    linesOf(stateWith(TWO, { scope: "all" })).map((line) => line.replace(/\d{4}-\d\d-\d\d \d\d:\d\d/, "(time)")),
  ).toEqual([
    "> ",
    " project  [all]   by activity   2",
    "> 1h  12  変更 🎉 name                                ~/shop",
    "  1d   2  Mend the flaky test                        ~/other",
    "",
    "",
    "(time) · 12 messages · 100 B · aaaa",
    "Enter pick  Esc leave  ? keys  Tab scope  ^S sort  ^N named",
  ])
})

test("where the title does not show what was found, what was said does", () => {
  const state = stateWith(TWO.slice(0, 1))
  const found = withSaid(changeQuery(state, fieldWith("needle")), { aaaa: ["one", "look at the needle in there"] })
  expect(linesOf(found)[2]).toBe("> 1h  12  変更 🎉 name  look at the needle in there")
  expect(linesOf(changeQuery(state, fieldWith("name")))[2]).toBe("> 1h  12  変更 🎉 name")
})

test("where paths are shown, the selected one is whole", () => {
  const path = `/store/${"very-long-folder/".repeat(8)}session.jsonl`
  const lines = linesOf(stateWith([info("a", 1, { path })], { paths: true }), 60, 12)
  expect(lines.join("")).toContain(path)
})

test("says why there is nothing, and how far it is", () => {
  const listing = { ...stateWith([]), progress: { isListing: true } }
  expect(linesOf(listing).slice(1, 3)).toEqual(["[project]  all    by activity   0 ...", "Searching for sessions ..."])
  expect(linesOf(stateWith([]))[2]).toBe("There is no session of ~/shop; Tab searches every folder.")
  expect(linesOf(changeView(stateWith(TWO), { scope: "all", named: true }))[1]).toContain("named only   1 of 2")
  const progress = {
    isListing: false,
    isSearching: false,
    indexing: "Indexed 3 of 9 sessions, 2 MB read",
    unreadable: 1,
  }
  expect(linesOf({ ...stateWith([], {}, "x"), progress }, 100).slice(1, 3)).toEqual([
    "[project]  all    by activity   0   Indexed 3 of 9 sessions, 2 MB read   1 unreadable",
    "None so far.",
  ])
})

test("says of a query that there is no index, and how to get one", () => {
  const progress = { isListing: false, unindexed: "Searching needs SQLite." }
  expect(linesOf({ ...stateWith(TWO), progress }).at(-1)).toContain("Enter pick")
  expect(linesOf({ ...stateWith(TWO, {}, "name"), progress }).at(-1)).toBe("Searching needs SQLite.")
})

test("stored control characters are not drawn", () => {
  const hostile = "a\u001b[2J\u001b]0;t\u0007b\u009bc\u202ed\r\ne"
  const bad = broken(hostile)
  const state = stateWith([info(hostile, 1, { name: hostile, firstMessage: hostile, cwd: hostile }), bad], {
    scope: "all",
    paths: true,
  })
  const query = withSaid(changeQuery(state, fieldWith("zz")), { [hostile]: [`zz${hostile}`] })
  for (const shown of [
    state,
    query,
    { ...state, notice: hostile },
    { ...state, mode: { kind: "delete", info: bad } as const },
  ])
    expect(linesOf(shown, 200, 30).join("")).not.toMatch(/[\p{Cc}\p{Bidi_Control}]/u)
})

test.each([
  [200, 50],
  [80, 24],
  [40, 10],
  [20, 6],
  [8, 3],
  [1, 1],
])("no line is wider than %i columns, and the last of %i rows stays free", (columns, rows) => {
  const wide = "変更日志👩‍👧".repeat(60)
  const infos = Array.from({ length: 100 }, (_, at) => info(`id${at}${wide}`, at, { name: wide, cwd: `/${wide}` }))
  for (const env of [{ NO_COLOR: "1" }, { FORCE_COLOR: "1" }, { LANG: "C", NO_COLOR: "1" }]) {
    const look = { ...LOOK, style: styleFor({ isTTY: true, columns }, env, {}) }
    for (const view of [{ paths: true }, { scope: "all" as const }]) {
      const lines = linesOf(stateWith([...infos, broken(wide)], view, "変"), columns, rows, look)
      expect(lines.length).toBe(Math.max(1, rows - 1))
      for (const line of lines)
        expect(widthOf(stripVTControlCharacters(line))).toBeLessThanOrEqual(Math.max(2, columns))
    }
  }
})
