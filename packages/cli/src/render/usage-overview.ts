import { costText, numberText, plural, timeAt, tokensText } from "@treelog-internal/text"
import type { UsageBy } from "../commands/stats/stats-options.js"
import type { CollectedUsage } from "../stats/collect-usage.js"
import type { CostRow } from "../stats/usage-sums.js"
import { type Column, tableLines } from "./table.js"
import { barColumn, partName, rowName, sessionIdColumn, type UsageLook } from "./usage-table.js"

/** How many of the most expensive sessions are shown. */
export const MOST_SESSIONS = 5
/** Rows of each table, but for days. */
const MOST: Partial<Record<UsageBy, number>> = { model: 8, project: 8, session: MOST_SESSIONS }
const MAX_NAME = 44

/** By day with bars, by model, by project, and the most expensive sessions. */
export function* overviewLines(usage: CollectedUsage, look: UsageLook): Generator<string> {
  const { total, parts, rows } = usage
  const sessions = rows("session")
  yield `${spanText(usage)}: ${costText(total.cost)}, ${tokensText(total.totals.totalTokens)} tokens, ${plural(total.totals.calls, "call")}, ${plural(sessions.length, "session")}`
  for (const part of parts)
    yield `${partName(part)}: ${costText(part.cost)}, ${tokensText(part.totals.totalTokens)} tokens`
  for (const by of ["day", "model", "project", "session"] as const) {
    const all = rows(by)
    const shown = all.slice(0, MOST[by])
    yield ""
    yield* tableLines(columnsOf(by, shown, look), shown, look.style)
    if (by !== "session" && shown.length < all.length)
      yield look.style.paint("dim", `${numberText(all.length - shown.length)} more: treelog stats --by ${by}`)
  }
}

function columnsOf(by: UsageBy, rows: readonly CostRow[], look: UsageLook): Column<CostRow>[] {
  const amounts: Column<CostRow>[] = [
    { title: "tokens", cell: ({ totals }) => tokensText(totals.totalTokens), align: "right" },
    { title: "cost", cell: ({ cost }) => costText(cost), align: "right" },
  ]
  const name = (row: CostRow): string => rowName(row, by, look)
  if (by !== "session")
    return [{ title: by, cell: name, most: MAX_NAME, least: 10 }, ...amounts, barColumn(rows, look.style)]
  return [
    sessionIdColumn(look),
    ...amounts,
    { title: "agent", cell: ({ store = "" }) => store, omit: 1 },
    { title: "most expensive sessions", cell: name },
  ]
}

function spanText({ times: { since, until } }: CollectedUsage): string {
  if (since === undefined && until === undefined) return "All sessions"
  const day = (time: number): string => timeAt(time).slice(0, 10)
  if (until === undefined) return `Since ${day(since ?? 0)}`
  return since === undefined ? `Until ${day(until - 1)}` : `${day(since)} to ${day(until - 1)}`
}
