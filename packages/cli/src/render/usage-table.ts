import { basename } from "node:path"
import type { UsageTotals } from "@treelog/session-core"
import type { IndexedSession } from "@treelog/session-core/search"
import { cleanLine, folderLine, type Style } from "@treelog-internal/text"
import type { UsageBy } from "../commands/stats/stats-options.js"
import { usageColumns } from "./stats-lines.js"
import { type Column, tableLines } from "./table.js"
import { titleText } from "./titles.js"

interface Row {
  readonly key: string
  readonly totals: UsageTotals
  readonly session?: IndexedSession
  readonly store?: string
}

interface UsageLook {
  readonly by: UsageBy
  readonly style: Style
  readonly home: string | undefined
}

/** Columns of the longest bar. */
const BAR = 20
const TOTAL = "total"
const MAX_NAME = 40

/** Sums, a line each, with their total; on a terminal with bars. */
export function usageTable(rows: readonly Row[], total: UsageTotals, { by, style, home }: UsageLook): string[] {
  const sum: Row = { key: TOTAL, totals: total }
  const shown = by === "total" && rows.length === 1 ? [sum] : [...rows, sum]
  const nameOf = (row: Row): string => (row === sum ? TOTAL : rowName(row, by, { style, home }))
  const columns: Column<Row>[] = [
    ...(rows.some(({ store }) => store !== undefined)
      ? [{ title: "store", cell: ({ store = "" }: Row) => store }]
      : []),
    { title: by === "total" ? "" : by, cell: nameOf, most: MAX_NAME, least: 10 },
    ...usageColumns<Row>(({ totals }) => totals),
  ]
  if (style.width !== undefined && shown.length > 1) columns.push(barColumn(rows, sum, style))
  return tableLines(columns, shown, style)
}

function rowName(
  { key, session }: Row,
  by: UsageLook["by"],
  { style, home }: Pick<UsageLook, "style" | "home">,
): string {
  if (session) return titleText(session.name === "" ? session.id || basename(key) : session.name, style)
  if (key === "") return "(no time)"
  return by === "project" ? folderLine(key, home) : cleanLine(key)
}

/** By cost; where nothing cost anything, by tokens. */
function barColumn(rows: readonly Row[], sum: Row, { paint, glyphs }: Style): Column<Row> {
  const sizeOf = ({ totals }: Row): number => (sum.totals.cost > 0 ? totals.cost : totals.totalTokens)
  const largest = Math.max(...rows.map(sizeOf))
  const bar = (row: Row): string =>
    row === sum || largest <= 0 ? "" : glyphs.bar.repeat(Math.round((Math.max(0, sizeOf(row)) / largest) * BAR))
  return { title: "", cell: bar, paint: (_, text) => paint("cyan", text), omit: 3, least: BAR }
}
