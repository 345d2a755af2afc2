import { stripVTControlCharacters } from "node:util"
import { expect, test } from "vitest"
import {
  choiceLine,
  fieldWith,
  type ListParts,
  listFrame,
  listHeight,
  selectRow,
  styleFor,
  widthOf,
  windowOf,
} from "../../door.js"

const STYLE = styleFor({ isTTY: true, columns: 80 }, { NO_COLOR: "1" }, {})

function parts(more: Partial<ListParts> = {}): ListParts {
  return {
    prompt: "> ",
    field: fieldWith("query"),
    status: "status",
    window: windowOf(2),
    count: 3,
    row: (index) => `row ${index}`,
    nothing: "nothing",
    preview: ["detail"],
    keys: ["Enter", "Escape"],
    ...more,
  }
}

test("shows what is written, the rows in sight, and what is known of the selected one", () => {
  const window = selectRow(windowOf(2), 2, 3)
  const { lines, cursor } = listFrame(parts({ window }), STYLE, { columns: 40, rows: 8 })
  expect(lines).toEqual(["> query", "status", "  row 1", "> row 2", "detail", "Enter  Escape"])
  expect(cursor).toBe(7)
})

test("the cursor stands where the next letter goes, in columns", () => {
  const field = { text: "変更 x", cursor: 2 }
  expect(listFrame(parts({ field }), STYLE, { columns: 40, rows: 8 })).toMatchObject({ cursor: 6 })
})

test("of a text that does not fit, what is before the cursor is shown", () => {
  const field = fieldWith("変更".repeat(30))
  const { lines, cursor } = listFrame(parts({ field }), STYLE, { columns: 20, rows: 8 })
  expect(widthOf(lines[0] ?? "")).toBeLessThanOrEqual(20)
  expect(cursor).toBeLessThan(20)
  expect(lines[0]?.endsWith("変更")).toBe(true)
})

test("a question has no cursor, and a notice takes the place of the keys until the next one", () => {
  const { lines, cursor } = listFrame(parts({ field: undefined, prompt: "Sure? y/N", notice: "Done." }), STYLE, {
    columns: 40,
    rows: 8,
  })
  expect(cursor).toBeUndefined()
  expect(lines[0]).toBe("Sure? y/N")
  expect(lines.at(-1)).toBe("Done.")
})

test("of the keys, as many as fit are named; of choices, the chosen one alone where not all fit", () => {
  expect(listFrame(parts(), STYLE, { columns: 10, rows: 8 }).lines.at(-1)).toBe("Enter")
  expect(choiceLine(["one", "two"], "two", ["", "3 rows"], STYLE, 40)).toBe(" one  [two]   3 rows")
  expect(choiceLine(["one", "two"], "two", ["", "3 rows"], STYLE, 12)).toBe("[two] 3 rows")
})

test.each([
  [80, 24],
  [20, 6],
  [8, 3],
  [1, 1],
])("no line is wider than %i columns, and the last of %i rows stays free", (columns, rows) => {
  const wide = "変更👩‍👧".repeat(50)
  const given = parts({
    prompt: "Label: ",
    field: fieldWith(wide),
    notice: wide,
    nothing: wide,
    count: 0,
    window: windowOf(listHeight(rows, 1)),
    status: "",
  })
  const { lines } = listFrame(given, STYLE, { columns, rows })
  expect(lines.length).toBeLessThanOrEqual(Math.max(1, rows - 1))
  for (const line of lines.slice(1))
    expect(widthOf(stripVTControlCharacters(line))).toBeLessThanOrEqual(Math.max(2, columns))
})

test("only the rows in sight are drawn, of however many", () => {
  const drawn: number[] = []
  const row = (index: number): string => {
    drawn.push(index)
    return ""
  }
  const window = selectRow(windowOf(20), 60_000, 100_000)
  listFrame(parts({ window, count: 100_000, row }), STYLE, { columns: 80, rows: 24 })
  expect(drawn).toHaveLength(20)
})
