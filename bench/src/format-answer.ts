import type { Answer } from "./ask.js"
import { digits } from "./digits.js"
import { formatGrowth } from "./format-growth.js"
import { formatVerdicts } from "./format-verdicts.js"
import { growthRows } from "./growth-rows.js"
import { markdownTable } from "./markdown-table.js"
import type { Row } from "./row.js"

const COLUMNS = [
  "case",
  "who",
  "median ms",
  "min",
  "max",
  "cpu ms",
  "µs each",
  "from start ms",
  "peak MB",
  "to the first",
  "samples",
]

/** An answer in Markdown: what was measured, how it grows, the bars, and who took no part. */
export function formatAnswer({ question, asks, rows, verdicts, absences, failures, load }: Answer): string {
  const parts = [
    `## ${question}\n\n${asks} Load at the beginning: ${load}.\n`,
    markdownTable(
      COLUMNS,
      2,
      rows.map((row) => cellsOf(row, firstOf(rows, row))),
    ),
    ownFigures(rows),
    formatGrowth(growthRows(rows)),
    formatVerdicts(verdicts),
    formatAbsences(absences),
    failures
      .map(({ case: name, message }) => `- "${name}" was not measured: ${message.trim().split("\n")[0]}\n`)
      .join(""),
  ]
  return parts.filter((part) => part !== "").join("\n")
}

/** One line for each reason. */
function formatAbsences(absences: Answer["absences"]): string {
  const texts = absences.map(({ contender, why }) => `${contender} takes no part: ${why}`)
  const cases = (text: string): number => texts.filter((other) => other === text).length
  return [...new Set(texts)].map((text) => `- ${text} (${cases(text)} cases)\n`).join("")
}

function cellsOf(row: Row, first: Row): string[] {
  const { ms, cpuMs, sinceStartMs, peakRss, size } = row
  return [
    row.case,
    row.isProbe ? `probe: ${row.contender}` : row.contender,
    digits(ms.median),
    digits(ms.min),
    digits(ms.max),
    row.isSpawned ? "" : digits(cpuMs.median),
    digits((ms.median * 1_000) / size),
    digits(sinceStartMs.median),
    row.isSpawned ? "" : (peakRss.median / 1e6).toFixed(0),
    row === first ? "1" : digits(ms.median / first.ms.median),
    String(row.samples),
  ]
}

/** The medians of what the works measured on their own. */
function ownFigures(rows: readonly Row[]): string {
  const lines = rows.flatMap((row) =>
    Object.entries(row.own).map(([figure, { median, min, max }]) => {
      return [row.case, row.contender, figure, digits(median), digits(min), digits(max)]
    }),
  )
  return lines.length === 0 ? "" : markdownTable(["case", "who", "figure", "median", "min", "max"], 3, lines)
}

function firstOf(rows: readonly Row[], { case: caseName }: Row): Row {
  return rows.find((row) => row.case === caseName) as Row
}
