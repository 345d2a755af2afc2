import {
  addTotals,
  foldText,
  type IndexedSession,
  noUsage,
  periodOf,
  sortedRows,
  type UsageQuery,
  type UsageRow,
} from "@treelog/session-core/search"
import type { SqliteConnection } from "@treelog-internal/sqlite"
import { COPY, type EntryIdentity, type EntryPlace, NO_COPY, oldestOf } from "../tables/copies.js"
import { SessionRows } from "../tables/session-rows.js"
import { dayOf } from "../tables/usage-spans.js"
import { type FittingSessions, fittingSessions } from "./session-filter.js"

/** Sums of some entries of one session, model or day: the one that they are grouped by. */
interface Sums {
  readonly session: number
  readonly model: number
  /** Of the part of the session that used it; null of none. */
  readonly role: number | null
  /** Of one of the entries. Milliseconds since 1970; 0 where they have none. */
  readonly time: number
  readonly calls: number
  readonly input: number
  readonly output: number
  readonly cacheRead: number
  readonly cacheWrite: number
  readonly totalTokens: number
  readonly cost: number
  readonly premiumRequests: number | null
}

const SUMS = `sum(calls) AS calls, sum(input) AS input, sum(output) AS output, sum(cache_read) AS cacheRead,
  sum(cache_write) AS cacheWrite, sum(total) AS totalTokens, sum(cost) AS cost, sum(premium) AS premiumRequests`

/** What distinguishes the rows of each kind of sum, but for days, which are summed one by one. */
const GROUPS: Readonly<Record<NonNullable<UsageQuery["by"]>, string>> = {
  total: "",
  day: "",
  week: "",
  month: "",
  model: "model",
  session: "session",
  role: "role",
  project: "session",
}

/** The sums that a query asks for. */
export function usageRows(connection: SqliteConnection, query: UsageQuery): UsageRow[] {
  const { by = "total" } = query
  const sessions = new SessionRows(connection)
  const fitting = fittingSessions(connection, sessions, query)
  const models = new Map(
    connection
      .sql("SELECT n, text FROM name")
      .all<{ n: number; text: string }>()
      .map(({ n, text }) => [n, text]),
  )
  const condition = conditionOf(query, fitting, models)
  const rows = new Map<string, UsageRow>()
  for (const sums of [...sumsOf(connection, by, condition), ...sumsOfCopies(connection, sessions, condition)]) {
    const state = by === "session" || by === "project" ? sessions.get(sums.session) : undefined
    const session = state && sessions.owner(state)
    const key = keyOf(by, sums, session, models)
    const row = rows.get(key) ?? { key, totals: noUsage(), ...(by === "session" && session && { session }) }
    const { premiumRequests, session: _, model: __, role: ___, time: ____, ...totals } = sums
    addTotals(row.totals, { ...totals, ...(premiumRequests !== null && { premiumRequests }) })
    rows.set(key, row)
  }
  return sortedRows([...rows.values()], by)
}

function keyOf(
  by: NonNullable<UsageQuery["by"]>,
  { time, model, role }: Sums,
  session: IndexedSession | undefined,
  names: ReadonlyMap<number, string>,
): string {
  if (by === "day" || by === "week" || by === "month") return periodOf(time, by)
  if (by === "role") return role === null ? "" : (names.get(role) ?? "")
  if (by === "model") return names.get(model) ?? ""
  return by === "project" ? (session?.cwd ?? "") : by === "session" ? (session?.key ?? "") : "total"
}

interface Condition {
  readonly sql: string
  readonly values: readonly (string | number)[]
  /** Whether copies of entries have to be compared: those that count in all sessions need not be among those that fit. */
  readonly isPartial: boolean
}

function conditionOf(
  { since, until, model }: UsageQuery,
  fitting: FittingSessions,
  models: ReadonlyMap<number, string>,
): Condition {
  const conditions = ["true"]
  const values: (string | number)[] = []
  const add = (sql: string, value: string | number) => {
    conditions.push(sql)
    values.push(value)
  }
  if (since !== undefined || until !== undefined) conditions.push("time <> 0")
  if (since !== undefined) add("time >= ?", since)
  if (until !== undefined) add("time < ?", until)
  if (model !== undefined) {
    const fits = [...models].filter(([, name]) => foldText(name).includes(foldText(model))).map(([n]) => n)
    add("model IN (SELECT value FROM json_each(?))", JSON.stringify(fits))
  }
  if (fitting !== undefined) add("session IN (SELECT value FROM json_each(?))", JSON.stringify([...fitting.keys()]))
  return { sql: conditions.join(" AND "), values, isPartial: fitting !== undefined }
}

/** Sums of the entries that count without comparing them with copies. */
function sumsOf(
  connection: SqliteConnection,
  by: NonNullable<UsageQuery["by"]>,
  { sql, values, isPartial }: Condition,
): Sums[] {
  const group = GROUPS[by]
  const counted = isPartial ? `copies = ${NO_COPY}` : `copies <> ${COPY}`
  const select = `SELECT session, model, role, time, ${SUMS} FROM usage WHERE ${counted} AND ${sql}`
  const sums =
    by === "day" || by === "week" || by === "month"
      ? sumsOfDays(connection, select, values)
      : connection.sql(`${select} ${group === "" ? "" : `GROUP BY ${group}`}`).all<Sums>(...values)
  return sums.filter(({ calls }) => calls !== null)
}

/** Grouping would sort all rows. */
function sumsOfDays(connection: SqliteConnection, select: string, values: Condition["values"]): Sums[] {
  const sums = connection.sql(`${select} AND time = 0 AND span = 0`).all<Sums>(...values)
  const first = connection.sql("SELECT span FROM usage WHERE span >= ? AND time <> 0 ORDER BY span LIMIT 1")
  const sum = connection.sql(`${select} AND time <> 0 AND span >= ? AND span < ?`)
  let from = first.get<{ span: number }>(Number.MIN_SAFE_INTEGER)?.span
  while (from !== undefined) {
    const { time, end } = dayOf(from)
    for (const row of sum.all<Sums>(...values, from, end)) sums.push({ ...row, time })
    from = first.get<{ span: number }>(end)?.span
  }
  return sums
}

function sumsOfCopies(
  connection: SqliteConnection,
  sessions: SessionRows,
  { sql, values, isPartial }: Condition,
): Sums[] {
  // Where all sessions fit, the entries themselves know which of them counts.
  if (!isPartial) return []
  const find = connection.sql(`
    SELECT found.*, entry.id, entry.stamp FROM (
      SELECT session, n, time, copies, model, role, calls, input, output, cache_read AS cacheRead,
        cache_write AS cacheWrite, total AS totalTokens, cost, premium AS premiumRequests
      FROM usage WHERE copies <> ${NO_COPY} AND ${sql}
    ) AS found CROSS JOIN entry ON entry.session = found.session AND entry.n = found.n`)
  const rows = find.all<Sums & EntryIdentity & EntryPlace & { copies: number }>(...values)
  return countedOf(sessions, rows).map(({ id: _, stamp: __, n: ___, copies: ____, ...sums }) => sums)
}

/** The rows of the oldest of each group of copies. All of these have to be there. */
function countedOf<Row extends EntryIdentity & EntryPlace>(sessions: SessionRows, rows: readonly Row[]): Row[] {
  const groups = new Map<string, Row[]>()
  for (const row of rows) {
    const identity = `${row.time} ${row.stamp} ${row.id}`
    const group = groups.get(identity)
    if (group) group.push(row)
    else groups.set(identity, [row])
  }
  return [...groups.values()].flatMap((group) => {
    const oldest = oldestOf(sessions, group)
    return group.filter(({ session, n }) => session === oldest?.session && n === oldest.n)
  })
}
