import fc from "fast-check"
import { expect, test } from "vitest"
import { type Column, styleFor, Table, widthOf } from "../door.js"

const style = (columns: number | undefined) =>
  styleFor({ isTTY: columns !== undefined, columns: columns ?? 0 }, { NO_COLOR: "1" }, {})

type Row = readonly string[]
const column = (index: number, more: Partial<Column<Row>> = {}): Column<Row> => ({
  title: `title ${index}`,
  cell: (row) => row[index] ?? "",
  ...more,
})

test("no line is wider than the screen, whatever the columns and rows, and however they come", () => {
  const cell = fc.string({ unit: fc.constantFrom("a", "b ", "变", "🎉"), maxLength: 40 })
  const options = fc.record(
    {
      most: fc.integer({ min: 4, max: 30 }),
      least: fc.integer({ min: 1, max: 10 }),
      omit: fc.integer({ min: 1, max: 3 }),
      align: fc.constantFrom("left" as const, "right" as const),
    },
    { requiredKeys: [] },
  )
  const pages = fc.array(fc.array(fc.array(cell, { minLength: 5, maxLength: 5 }), { maxLength: 4 }), { maxLength: 3 })
  fc.assert(
    fc.property(
      fc.array(options, { minLength: 1, maxLength: 5 }),
      pages,
      fc.integer({ min: 10, max: 100 }),
      (more, rows, width) => {
        const table = new Table(
          more.map((option, index) => column(index, option)),
          style(width),
        )
        for (const page of rows) for (const line of table.lines(page)) expect(widthOf(line)).toBeLessThanOrEqual(width)
      },
    ),
  )
})

test("columns become narrower before one is left out, and none is where there is room", () => {
  const rows = [["name-that-is-long", "1234567890", "1234567890"]]
  const columns = [column(0, { least: 6 }), column(1, { omit: 1 }), column(2)]
  const lines = (width: number | undefined) => new Table(columns, style(width)).lines(rows)[1]
  expect(lines(undefined)).toBe("name-that-is-long  1234567890  1234567890")
  expect(lines(41)).toBe("name-that-is-long  1234567890  1234567890")
  expect(lines(32)).toBe("name-that…  1234567890  1234567…")
  expect(lines(24)).toBe("name-that-is-…  1234567…")
})

test("where lines are not cut, each has all its cells, however the rows come", () => {
  const cell = fc.string({ unit: fc.constantFrom("a", "变", "🎉", "…"), maxLength: 12 })
  const options = fc.record(
    { align: fc.constantFrom("left" as const, "right" as const), most: fc.integer({ min: 1, max: 9 }) },
    { requiredKeys: [] },
  )
  fc.assert(
    fc.property(
      fc.array(options, { minLength: 3, maxLength: 3 }),
      fc.array(fc.array(fc.array(cell, { minLength: 3, maxLength: 3 }), { minLength: 1, maxLength: 4 }), {
        maxLength: 3,
      }),
      (more, pages) => {
        const table = new Table(
          more.map((option, index) => column(index, option)),
          style(undefined),
        )
        const lines = pages.flatMap((page) => table.lines(page)).slice(1)
        expect(lines.map((line) => line.split(/\s+/).filter(Boolean))).toEqual(
          pages.flat().map((row) => row.filter(Boolean)),
        )
      },
    ),
  )
})
