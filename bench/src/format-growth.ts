import { digits } from "./digits.js"
import type { GrowthRow } from "./growth-rows.js"
import { markdownTable } from "./markdown-table.js"

/** Each series in one line, with its times at every size. Empty where there is none. */
export function formatGrowth(rows: readonly GrowthRow[]): string {
  if (rows.length === 0) return ""
  const sizes = [...new Set(rows.flatMap(({ points }) => points.map(({ at }) => at)))].sort((a, b) => a - b)
  const columns = ["ms at", "who", ...sizes.map((size) => size.toLocaleString("en")), "times as large", "times as long"]
  const lines = rows.map(({ series, contender, points, larger, longer }) => {
    const cells = sizes.map((size) => points.find(({ at }) => at === size)?.ms)
    return [
      series,
      contender,
      ...cells.map((ms) => (ms === undefined ? "" : digits(ms))),
      digits(larger),
      digits(longer),
    ]
  })
  return markdownTable(columns, 2, lines)
}
