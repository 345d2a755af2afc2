import { expect, test } from "vitest"
import type { Found, Preview } from "../../door.js"
import { finderFrame, finderState, resizeRows, takeAnswer, widthOf } from "../../door.js"
import { LOOK } from "../look.js"
import { row, snippet } from "./rows.js"

function lines(rows: readonly Found<string>[], size = { columns: 80, rows: 16 }, shown?: Preview): string[] {
  const empty = finderState<string>("sessions", "needle", "all")
  const { state } = takeAnswer(resizeRows(empty, 6), { request: empty.wanted, rows, isMore: false, total: 5 })
  const [first] = rows
  const preview = first && shown ? { key: `${first.key}\0${first.snippet?.text ?? ""}`, shown } : undefined
  return [...finderFrame({ ...state, preview, progress: "indexed 1/5" }, LOOK, size).lines]
}

const FOUND = row("設計の変更 🎉 of the checkout form", 3, {
  snippet: snippet("there is a needle in the haystack", "needle"),
  cost: "$0.12",
  agent: "pi (codex)",
})

test("a row has age, title, what was found, cost, agents and folder; below, the question and the answer", () => {
  const shown = {
    before: { who: "user", text: "Where is it?" },
    hit: { who: "assistant", snippet: snippet("there is a needle in the haystack\nand no more", "needle") },
    after: { who: "assistant", text: "Found." },
  }
  expect(lines([FOUND, row("plain", 30, { agent: "omp" })], undefined, shown)).toMatchSnapshot()
})

test("no line is wider than the screen, whatever a row has", () => {
  const rows = [FOUND, row(`long ${"😀".repeat(200)}`, 1, { error: "\u001b]0;x\u0007 broken" })]
  for (const columns of [2, 7, 20, 49, 50, 79, 200])
    for (const line of lines(rows, { columns, rows: 10 })) expect(widthOf(line)).toBeLessThanOrEqual(columns)
})

test("says what finds nothing, and where else to look", () => {
  expect(lines([])).toContain("Nothing so far.")
})

test("at 60 columns half of a row is its title, before folder and costs", () => {
  const long = row("A title that is longer than the row has columns for it, whatever else there is", 3, {
    ...{ cost: "~$123.45", agent: "claude-code (treelog)", cwd: "/home/me/a/long/folder/of/a/project" },
  })
  const [, , , shown = ""] = lines([long, long], { columns: 60, rows: 16 })
  const title = /A title.*?(?:…| {2}|$)/.exec(shown)?.[0].trimEnd() ?? ""
  expect(widthOf(title)).toBeGreaterThanOrEqual(27)
})
