import {
  type EntryName,
  foldText,
  type IndexedSession,
  type IndexFilter,
  isPeriod,
  type ModelUsage,
  type Period,
  periodOf,
  type UsageQuery,
  type UsageRow,
  UsageRows,
} from "@treelog/session-core/search"
import type { SqliteConnection } from "@treelog-internal/sqlite"
import { COPY, type EntryIdentity, type EntryPlace, NO_COPY, oldestOf } from "../tables/copies.js"
import { SessionRows } from "../tables/session-rows.js"
import { dayOf, spanOf } from "../tables/usage-spans.js"
import { type FittingSessions, fittingSessions } from "./session-filter.js"

/** Sums of calls that are alike, of some entries of one session or span of time: the one that they are grouped by. */
interface Sums {
  readonly session: number
  readonly model: number
  /** Of the part of the session that used it; null of none. */
  readonly role: number | null
  readonly above: number | null
  readonly tier: number | null
  /** Of one of the entries. Milliseconds since 1970; 0 where they have none. */
  readonly time: number
  readonly calls: number
  readonly input: number
  readonly output: number
  readonly cacheRead: number
  readonly cacheWrite: number
  readonly totalTokens: number
  readonly cost: number
  readonly cacheWrite1h: number | null
  readonly reasoning: number | null
  readonly webSearches: number | null
  readonly premiumRequests: number | null
}

const SUMS = `sum(calls) AS calls, sum(input) AS input, sum(output) AS output, sum(cache_read) AS cacheRead,
  sum(cache_write) AS cacheWrite, sum(total) AS totalTokens, sum(cost) AS cost, sum(cache_write_1h) AS cacheWrite1h,
  sum(reasoning) AS reasoning, sum(searches) AS webSearches, sum(premium) AS premiumRequests`

/** What decides about the price of a call, and whose it is. */
const ALIKE = "model, role, above, tier, cost > 0"

/** The sums that a query asks for. */
export function usageRows(connection: SqliteConnection, query: UsageQuery): UsageRow[] {
  const { by = "total" } = query
  const sessions = new SessionRows(connection)
  const names = namesIn(connection)
  const condition = conditionOf(connection, query, { sessions, names })
  const isOfSessions = query.per !== undefined || by === "session" || by === "project"
  const rows = new UsageRows(query)
  const all = [...sumsOf(connection, by, condition, isOfSessions), ...sumsOfCopies(connection, sessions, condition)]
  for (const sums of all) {
    const state = isOfSessions ? sessions.get(sums.session) : undefined
    const session = state && sessions.owner(state)
    const usage = usageIn(sums, names)
    rows.add(keyOf(by, sums.time, session, usage), usage, session)
  }
  return rows.sorted()
}

/** As `SessionIndex.usageTimes`. */
export function usageTimes(connection: SqliteConnection, filter: IndexFilter): number[] {
  const { sql, values, spans } = conditionOf(connection, filter)
  const times = connection.sql(`SELECT json_group_array(DISTINCT time) AS times FROM usage WHERE ${sql} ${WITHIN}`)
  return JSON.parse(times.get<{ times: string }>(...values, ...spans)?.times ?? "[]")
}

/** As `SessionIndex.usageEntries`. */
export function usageEntries(connection: SqliteConnection, filter: IndexFilter, times: readonly number[]): EntryName[] {
  const { sql, values, spans } = conditionOf(connection, filter)
  const find = connection.sql(`
    SELECT DISTINCT entry.id, entry.time FROM (
      SELECT session, n FROM usage WHERE ${sql} ${WITHIN} AND time IN (SELECT value FROM json_each(?))
    ) AS found CROSS JOIN entry ON entry.session = found.session AND entry.n = found.n`)
  return find.all<EntryName>(...values, ...spans, JSON.stringify(times))
}

function namesIn(connection: SqliteConnection): ReadonlyMap<number, string> {
  const rows = connection.sql("SELECT n, text FROM name").all<{ n: number; text: string }>()
  return new Map(rows.map(({ n, text }) => [n, text]))
}

function keyOf(
  by: NonNullable<UsageQuery["by"]>,
  time: number,
  session: IndexedSession | undefined,
  { model, role = "" }: ModelUsage,
): string {
  if (isPeriod(by)) return periodOf(time, by)
  if (by === "role" || by === "model") return by === "role" ? role : model
  return by === "project" ? (session?.cwd ?? "") : by === "session" ? (session?.key ?? "") : "total"
}

function usageIn(sums: Sums, names: ReadonlyMap<number, string>): ModelUsage {
  const { model, role, above, tier, calls, input, output, cacheRead, cacheWrite, totalTokens, cost } = sums
  const { cacheWrite1h, reasoning, webSearches, premiumRequests } = sums
  return {
    model: names.get(model) ?? "",
    ...(role !== null && { role: names.get(role) ?? "" }),
    ...(above !== null && { inputAbove: above }),
    ...(tier !== null && { serviceTier: names.get(tier) ?? "" }),
    usage: {
      ...{ calls, input, output, cacheRead, cacheWrite, totalTokens, cost },
      ...(cacheWrite1h !== null && { cacheWrite1h }),
      ...(reasoning !== null && { reasoning }),
      ...(webSearches !== null && { webSearches }),
      ...(premiumRequests !== null && { premiumRequests }),
    },
  }
}

/** So many sessions are asked for the times that they are of. */
const FEW = 20

/** The spans find the rows. */
const WITHIN = "AND span BETWEEN ? AND ?"

interface Condition {
  readonly sql: string
  readonly values: readonly (string | number)[]
  /** The first and the last span that can have such rows, as `WITHIN` takes them. */
  readonly spans: readonly [first: number, last: number]
  /** Whether copies of entries have to be compared: those that count in all sessions need not be among those that fit. */
  readonly isPartial: boolean
}

function conditionOf(
  connection: SqliteConnection,
  query: UsageQuery,
  { sessions = new SessionRows(connection), names = namesIn(connection) } = {},
): Condition {
  const { since, until, model, except = [] } = query
  const fitting = fittingSessions(connection, sessions, query)
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
    const fits = [...names].filter(([, name]) => foldText(name).includes(foldText(model))).map(([n]) => n)
    add("model IN (SELECT value FROM json_each(?))", JSON.stringify(fits))
  }
  if (fitting !== undefined) add("session IN (SELECT value FROM json_each(?))", JSON.stringify([...fitting.keys()]))
  if (except.length > 0) {
    const find = connection.sql("SELECT session || ' ' || n AS place FROM entry WHERE id = ? AND time = ?")
    const places = except.flatMap(({ id, time }) => find.all<{ place: string }>(id, time).map(({ place }) => place))
    add("session || ' ' || n NOT IN (SELECT value FROM json_each(?))", JSON.stringify(places))
  }
  const { oldest, newest } = timesOf(connection, fitting)
  const spans = [spanOf(Math.min(until ?? newest, newest)), spanOf(Math.max(since ?? oldest, oldest))] as const
  return { sql: conditions.join(" AND "), values, spans, isPartial: fitting !== undefined }
}

/** Few sessions are of few spans. */
function timesOf(connection: SqliteConnection, fitting: FittingSessions): { oldest: number; newest: number } {
  const all = { oldest: Number.MIN_SAFE_INTEGER, newest: Number.MAX_SAFE_INTEGER }
  const numbers = [...(fitting?.keys() ?? [])]
  if (numbers.length === 0 || numbers.length > FEW) return all
  const find = connection.sql(`
    SELECT ifnull(min(time), 0) AS oldest, ifnull(max(time), 0) AS newest FROM entry
    WHERE session IN (SELECT value FROM json_each(?))`)
  return find.get<{ oldest: number; newest: number }>(JSON.stringify(numbers)) ?? all
}

/** Sums of the entries that count without comparing them with copies. */
function sumsOf(
  connection: SqliteConnection,
  by: NonNullable<UsageQuery["by"]>,
  { sql, values, spans, isPartial }: Condition,
  isOfSessions: boolean,
): Sums[] {
  const counted = isPartial ? `copies = ${NO_COPY}` : `copies <> ${COPY}`
  const select = `SELECT session, model, role, above, tier, time, ${SUMS} FROM usage WHERE ${counted} AND ${sql}`
  const group = isOfSessions ? `session, ${ALIKE}` : ALIKE
  if (isPeriod(by)) return sumsOfDays(connection, by, { select, group }, { values, spans })
  return connection.sql(`${select} ${WITHIN} GROUP BY ${group}`).all<Sums>(...values, ...spans)
}

/** Day after day: to group all rows would sort them. */
function sumsOfDays(
  connection: SqliteConnection,
  by: Period,
  { select, group }: { readonly select: string; readonly group: string },
  { values, spans: [newest, oldest] }: Pick<Condition, "values" | "spans">,
): Sums[] {
  const sums = connection.sql(`${select} AND time = 0 AND span = 0 GROUP BY ${group}`).all<Sums>(...values)
  const first = connection.sql("SELECT span FROM usage WHERE span BETWEEN ? AND ? AND time <> 0 ORDER BY span LIMIT 1")
  const sum = connection.sql(`${select} AND time <> 0 AND span >= ? AND span < ? GROUP BY ${group}`)
  let from = first.get<{ span: number }>(newest, oldest)?.span
  while (from !== undefined) {
    const { time, end } = dayOf(from, by === "hour")
    for (const row of sum.all<Sums>(...values, from, end)) sums.push({ ...row, time })
    from = first.get<{ span: number }>(end, oldest)?.span
  }
  return sums
}

function sumsOfCopies(
  connection: SqliteConnection,
  sessions: SessionRows,
  { sql, values, spans, isPartial }: Condition,
): Sums[] {
  // Where all sessions fit, the entries themselves know which of them counts.
  if (!isPartial) return []
  const find = connection.sql(`
    SELECT found.*, entry.id, entry.stamp FROM (
      SELECT session, n, time, copies, model, role, above, tier, calls, input, output, cache_read AS cacheRead, cache_write AS cacheWrite,
        total AS totalTokens, cost, cache_write_1h AS cacheWrite1h, reasoning, searches AS webSearches, premium AS premiumRequests
      FROM usage WHERE copies <> ${NO_COPY} AND ${sql} ${WITHIN}
    ) AS found CROSS JOIN entry ON entry.session = found.session AND entry.n = found.n`)
  const rows = find.all<Sums & EntryIdentity & EntryPlace & { copies: number }>(...values, ...spans)
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
