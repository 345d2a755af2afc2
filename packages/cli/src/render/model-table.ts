import type { UsageTotals } from "@treelog/session-core"
import type { Style } from "@treelog-internal/text"
import { cleanLine, numberText } from "@treelog-internal/text"
import { type Column, tableLines } from "./table.js"

type Row = readonly [model: string, totals: UsageTotals]

const MAX_NAME = 40

/** Tokens and cost of each model, the dearest first; nothing where no usage was reported. */
export function modelTable(models: Readonly<Record<string, UsageTotals>>, style: Style): string[] {
  const rows = Object.entries(models).sort(([, a], [, b]) => b.cost - a.cost || b.totalTokens - a.totalTokens)
  return rows.length === 0 ? [] : tableLines(COLUMNS, rows, style)
}

/** Prices of single calls are fractions of a cent. */
export function costText(cost: number): string {
  return cost.toLocaleString("en-US", {
    style: "currency",
    currency: "USD",
    minimumFractionDigits: 2,
    maximumFractionDigits: 4,
  })
}

const COLUMNS: readonly Column<Row>[] = [
  { title: "model", cell: ([model]) => cleanLine(model), most: MAX_NAME, least: 12 },
  { ...count("calls", ({ calls }) => calls), omit: 1 },
  count("input", ({ input }) => input),
  count("output", ({ output }) => output),
  count("cache read", ({ cacheRead }) => cacheRead),
  count("cache write", ({ cacheWrite }) => cacheWrite),
  // The sum of the four before it.
  { ...count("tokens", ({ totalTokens }) => totalTokens), omit: 2 },
  { title: "cost", cell: ([, { cost }]) => costText(cost), least: Number.POSITIVE_INFINITY },
]

function count(title: string, of: (totals: UsageTotals) => number): Column<Row> {
  return { title, cell: ([, totals]) => numberText(of(totals)), align: "right" }
}
