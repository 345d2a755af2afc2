import { basename } from "node:path"
import { isPeriod, knownCost } from "@treelog/session-core/search"
import {
  cleanLine,
  costText,
  folderLine,
  numberText,
  plural,
  type Style,
  timeAt,
  tokensText,
} from "@treelog-internal/text"
import { type Column, type Look, tableLines, titleText } from "../../render/table.js"
import type { UsageBy } from "./stats-options.js"
import type { CollectedUsage, CostRow } from "./usage-document.js"

interface UsageLook extends Look {
  /** Of sessions, by their keys: names, or what their users said first. */
  readonly titles: ReadonlyMap<string, string>
  readonly shortId: (id: string) => string
}

/** Columns of the longest bar. */
const BAR = 20
const MAX_NAME = 40

/** Sums, a line each, with their total, and what of it the parts of sessions used; on a terminal with bars. */
export function usageTable(
  rows: readonly CostRow[],
  { total, parts }: { total: CostRow; parts: readonly CostRow[] },
  { by, style, ...look }: UsageLook & { by: UsageBy },
): string[] {
  const shown = by === "total" ? [total] : [...rows, total]
  const named = new Map<CostRow, string>([[total, "total"]])
  for (const part of parts) named.set(part, partName(part))
  const columns: Column<CostRow>[] = [
    ...(new Set(rows.map(({ store }) => store)).size > 1
      ? [{ title: "agent", cell: ({ store = "" }: CostRow) => store }]
      : []),
    ...(by === "session" ? [sessionIdColumn({ style, ...look })] : []),
    {
      title: by === "total" ? "" : by,
      cell: (row) => named.get(row) ?? rowName(row, by, { style, ...look }),
      most: MAX_NAME,
      least: 10,
    },
    ...usageColumns<CostRow>(),
  ]
  if (style.width !== undefined && shown.length > 1) columns.push(barColumn(rows, style))
  return tableLines(columns, [...shown, ...parts], style)
}

/** How a session is named to commands. */
function sessionIdColumn({ shortId }: UsageLook): Column<CostRow> {
  return { title: "id", cell: ({ session }) => (session ? cleanLine(shortId(session.id)) : "") }
}

/** A part of the total, by the role of those that used it. */
export function partName({ key }: CostRow): string {
  return `  of which ${key === "subagent" ? "sub-agents" : cleanLine(key)}`
}

function rowName({ key, session }: CostRow, by: UsageBy, { style, home, titles }: UsageLook): string {
  if (session) return titleText(session.name || titles.get(key) || session.id || basename(key), style)
  if (key === "") return isPeriod(by) ? "(no time)" : by === "project" ? "(no folder)" : "(not known)"
  if (by === "hour") return `${key}:00`
  return by === "project" ? folderLine(key, home) : cleanLine(key)
}

export function usageColumns<Row extends Pick<CostRow, "totals" | "cost">>(): Column<Row>[] {
  const tokens = (title: string, of: (totals: CostRow["totals"]) => number): Column<Row> => {
    return { title, cell: ({ totals }) => tokensText(of(totals)), align: "right" }
  }
  return [
    { title: "calls", cell: ({ totals }) => numberText(totals.calls), align: "right", omit: 1 },
    tokens("input", ({ input }) => input),
    tokens("output", ({ output }) => output),
    tokens("cache read", ({ cacheRead }) => cacheRead),
    tokens("cache write", ({ cacheWrite }) => cacheWrite),
    // The sum of the four before it.
    { ...tokens("tokens", ({ totalTokens }) => totalTokens), omit: 2 },
    { title: "cost", cell: ({ cost }) => costText(cost), align: "right", least: Number.POSITIVE_INFINITY },
  ]
}

/** By cost; where nothing has a known cost, by tokens. */
function barColumn(rows: readonly CostRow[], { paint, glyphs }: Style): Column<CostRow> {
  const hasCost = rows.some(({ cost }) => knownCost(cost) > 0)
  const sizeOf = ({ totals, cost }: CostRow): number => (hasCost ? knownCost(cost) : totals.totalTokens)
  const largest = Math.max(...rows.map(sizeOf))
  const measured = new Set(rows)
  const bar = (row: CostRow): string =>
    largest > 0 && measured.has(row) ? glyphs.bar.repeat(Math.round((Math.max(0, sizeOf(row)) / largest) * BAR)) : ""
  return { title: "", cell: bar, paint: (_, text) => paint("cyan", text), omit: 3, least: BAR }
}

/** How many of the most expensive sessions are shown. */
export const MOST_SESSIONS = 5
/** Rows of each table, but for days. */
const MOST: Partial<Record<UsageBy, number>> = { model: 8, project: 8, session: MOST_SESSIONS }
/** Columns of a name beside two amounts and a bar. */
const MAX_OVERVIEW_NAME = 44

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
    return [{ title: by, cell: name, most: MAX_OVERVIEW_NAME, least: 10 }, ...amounts, barColumn(rows, look.style)]
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
