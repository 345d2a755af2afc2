import type { Answer, Row } from "./ask.js"

const COLUMNS = ["case", "who", "median ms", "min", "max", "µs each", "from start ms", "peak MB", "ratio"]

/** An answer as a table in Markdown. The ratio is the median of the contender to that of the first one of its case. */
export function formatAnswer({ question, asks, rounds, rows }: Answer): string {
  const head = [COLUMNS, COLUMNS.map((_, index) => (index < 2 ? "---" : "--:"))]
  const body = rows.map((row) => cellsOf(row, firstOf(rows, row)))
  const lines = [...head, ...body].map((cells) => `| ${cells.join(" | ")} |`)
  return `### ${question}\n\n${asks} Each figure is from ${rounds} processes.\n\n${lines.join("\n")}\n`
}

function cellsOf(row: Row, first: Row): string[] {
  const { ms, sinceStartMs, peakRss, size } = row
  return [
    row.case,
    row.contender,
    digits(ms.median),
    digits(ms.min),
    digits(ms.max),
    digits((ms.median * 1_000) / size),
    digits(sinceStartMs.median),
    (peakRss.median / 1e6).toFixed(0),
    row === first ? "1" : digits(ms.median / first.ms.median),
  ]
}

function firstOf(rows: readonly Row[], { case: caseName }: Row): Row {
  return rows.find((row) => row.case === caseName) as Row
}

/** Three digits that mean something. */
function digits(value: number): string {
  if (value >= 100) return value.toFixed(0)
  return value >= 10 ? value.toFixed(1) : value.toFixed(2)
}
