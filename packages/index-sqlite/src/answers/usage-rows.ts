import {
  fitsModel,
  isPeriod,
  type ModelUsage,
  type SessionIndex,
  type UsageQuery,
  UsageRows,
  usageKey,
} from "@treelog/session-core/search"
import type { SqliteConnection } from "@treelog-internal/sqlite"
import { COPY, countedOf, type EntryIdentity, type EntryPlace, NO_COPY } from "../tables/copies.js"
import { SessionRows } from "../tables/session-rows.js"
import { dayOf, spanOf } from "../tables/usage-spans.js"
import { ALIKE, SUMMED } from "../tables/usage-sums.js"
import { type FittingSessions, fittingSessions } from "./session-filter.js"

type UsageRow = Awaited<ReturnType<SessionIndex["usage"]>>[number]

/** Sums of calls that are alike, of some entries of one session or span of time: the one that they are grouped by. */
type Sums = [
  session: number,
  model: number,
  /** Of the part of the session that used it; null of none. */
  role: number | null,
  above: number | null,
  tier: number | null,
  /** Of one of the entries. Milliseconds since 1970; 0 where they have none. */
  time: number,
  calls: number,
  input: number,
  output: number,
  cacheRead: number,
  cacheWrite: number,
  totalTokens: number,
  cost: number,
  cacheWrite1h: number | null,
  reasoning: number | null,
  webSearches: number | null,
  premiumRequests: number | null,
]

const TIME = 5
const NAMES = "session, model, role, above, tier, time"
const SUMS = SUMMED.map((count) => `sum(${count})`).join(", ")

/** The sums that a query asks for. */
export function usageRows(connection: SqliteConnection, query: UsageQuery): UsageRow[] {
  const { by = "total" } = query
  const sessions = new SessionRows(connection)
  const names = namesIn(connection)
  const condition = conditionOf(connection, query, sessions, names)
  const isOfSessions = query.per !== undefined || BY_SESSION.has(by)
  const rows = new UsageRows(query)
  const all = [...sumsOf(connection, by, condition, isOfSessions), ...sumsOfCopies(connection, sessions, condition)]
  if (isOfSessions && all.length > FEW) sessions.all()
  for (const sums of all) {
    const [n, , , , , time] = sums
    const state = isOfSessions ? sessions.get(n) : undefined
    const session = state && sessions.owner(state)
    const usage = usageIn(sums, names)
    rows.add(usageKey(by, time, usage, session), usage, session)
  }
  return rows.sorted()
}

function namesIn(connection: SqliteConnection): ReadonlyMap<number, string> {
  const rows = connection.sql("SELECT n, text FROM name").all<{ n: number; text: string }>()
  return new Map(rows.map(({ n, text }) => [n, text]))
}

function usageIn(sums: Sums, names: ReadonlyMap<number, string>): ModelUsage {
  const [, model, role, above, tier, , calls, input, output, cacheRead, cacheWrite, totalTokens, cost, ...rare] = sums
  const [cacheWrite1h, reasoning, webSearches, premiumRequests] = rare
  return {
    model: names.get(model) ?? "",
    ...(role !== null && { role: names.get(role) ?? "" }),
    ...(above !== null && { inputAbove: above }),
    ...(tier !== null && { serviceTier: names.get(tier) ?? "" }),
    usage: {
      calls,
      input,
      output,
      cacheRead,
      cacheWrite,
      totalTokens,
      cost,
      ...(cacheWrite1h !== null && { cacheWrite1h }),
      ...(reasoning !== null && { reasoning }),
      ...(webSearches !== null && { webSearches }),
      ...(premiumRequests !== null && { premiumRequests }),
    },
  }
}

/** Sums of what is known of sessions. */
const BY_SESSION: ReadonlySet<UsageQuery["by"]> = new Set(["session", "project", "agent", "person"])

/** So many sessions are read one by one, and asked for the times that they are of. */
const FEW = 20

/** The spans find the rows. */
const WITHIN = "AND span BETWEEN ? AND ?"

interface Condition {
  /** Of the session and the model: what a sum fits as its entries do. */
  readonly sql: string
  readonly values: readonly (string | number)[]
  /** `sql`, and what only some entries of a sum fit. */
  readonly all: string
  readonly allValues: readonly (string | number)[]
  /** The spans of which only some entries may fit, as JSON; and the first, which has entries without a time. */
  readonly partial: string
  /** The first and the last span that can have such rows, as `WITHIN` takes them. */
  readonly spans: readonly [first: number, last: number]
  /** Whether copies of entries have to be compared: those that count in all sessions need not be among those that fit. */
  readonly isPartial: boolean
}

function conditionOf(
  connection: SqliteConnection,
  query: UsageQuery,
  sessions: SessionRows,
  names: ReadonlyMap<number, string>,
): Condition {
  const { since, until } = query
  const fitting = fittingSessions(connection, sessions, query)
  const ofSums = new Conditions()
  if (!fitsModel(query, undefined)) {
    const fits = [...names].filter(([, name]) => fitsModel(query, name)).map(([n]) => n)
    ofSums.add("model IN (SELECT value FROM json_each(?))", JSON.stringify(fits))
  }
  if (fitting !== undefined)
    ofSums.add("session IN (SELECT value FROM json_each(?))", JSON.stringify([...fitting.keys()]))
  const ofAll = new Conditions(ofSums)
  if (since !== undefined || until !== undefined) ofAll.add("time <> 0")
  if (since !== undefined) ofAll.add("time >= ?", since)
  if (until !== undefined) ofAll.add("time < ?", until)
  const { oldest, newest } = timesOf(connection, fitting)
  return {
    sql: ofSums.sql,
    values: ofSums.values,
    all: ofAll.sql,
    allValues: ofAll.values,
    partial: spansOf([0, ...[since, until].filter((time) => time !== undefined)]),
    spans: [spanOf(Math.min(until ?? newest, newest)), spanOf(Math.max(since ?? oldest, oldest))],
    isPartial: fitting !== undefined,
  }
}

/** The spans of some times, each once, as JSON. */
function spansOf(times: readonly number[]): string {
  return JSON.stringify([...new Set(times.map(spanOf))])
}

class Conditions {
  readonly #conditions: string[]
  readonly values: (string | number)[]

  constructor(former?: Conditions) {
    this.#conditions = [...(former ? former.#conditions : ["true"])]
    this.values = [...(former?.values ?? [])]
  }

  add(sql: string, ...values: (string | number)[]): void {
    this.#conditions.push(sql)
    this.values.push(...values)
  }

  get sql(): string {
    return this.#conditions.join(" AND ")
  }
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
  { sql, values, all, allValues, partial, spans, isPartial }: Condition,
  isOfSessions: boolean,
): Sums[] {
  const within = `json_each(?) AS part CROSS JOIN`
  const isWithin = "span BETWEEN part.value ->> 0 AND part.value ->> 1"
  const partially = "span IN (SELECT value FROM json_each(?))"
  const sum = connection.arrays(`
    SELECT session, model, role, above, tier, iif(time = 0, 0, ifnull(part ->> 2, time)), ${SUMS} FROM (
      SELECT part.value AS part, usage_sum.* FROM ${within} usage_sum ON ${isWithin} WHERE ${sql} AND NOT ${partially}
      UNION ALL SELECT part.value AS part, usage.* FROM ${within} usage ON ${isWithin} WHERE ${all} AND ${partially}
    ) WHERE copies ${isPartial ? `= ${NO_COPY}` : `<> ${COPY}`} GROUP BY ${isOfSessions ? "session" : "part"}, ${ALIKE}, time = 0`)
  const parts = JSON.stringify(isPeriod(by) ? daysOf(connection, by, spans) : [spans])
  return sum(parts, ...values, partial, parts, ...allValues, partial) as Sums[]
}

/** The days, or hours, in which something was used: their spans, and a time in them. */
function daysOf(
  connection: SqliteConnection,
  by: UsageQuery["by"],
  spans: Condition["spans"],
): [number, number, number][] {
  const days: [from: number, to: number, time: number][] = []
  let end = Number.NEGATIVE_INFINITY
  for (const [span] of connection.arrays("SELECT DISTINCT span FROM usage_sum WHERE span BETWEEN ? AND ?")(...spans)) {
    if (Number(span) < end) continue
    const day = dayOf(Number(span), by === "hour")
    end = day.end
    days.push([Number(span), Math.min(end - 1, spans[1]), day.time])
  }
  return days
}

function sumsOfCopies(
  connection: SqliteConnection,
  sessions: SessionRows,
  { all, allValues, spans, isPartial }: Condition,
): Sums[] {
  // Where all sessions fit, the entries themselves know which of them counts.
  if (!isPartial) return []
  const find = connection.arrays(`
    SELECT found.*, entry.id, entry.stamp, entry.content, entry.response, entry.call FROM (
      SELECT n, ${NAMES}, ${SUMMED.join(", ")} FROM usage WHERE copies <> ${NO_COPY} AND ${all} ${WITHIN}
    ) AS found CROSS JOIN entry ON entry.session = found.session AND entry.n = found.n`)
  const rows = find(...allValues, ...spans).map((row) => {
    const [n, ...sums] = row.slice(0, -5) as [n: number, ...Sums]
    const identity = row.slice(-5) as [string, string | null, number, number | null, number | null]
    const [id, stamp, content, response, call] = identity
    return { id, stamp, content, response, call, time: sums[TIME], session: sums[0], n, sums }
  })
  return countedRows(sessions, rows).map(({ sums }) => sums)
}

/** The rows of those of each group of copies that count. All of these have to be there. */
function countedRows<Row extends EntryIdentity & EntryPlace>(sessions: SessionRows, rows: readonly Row[]): Row[] {
  const groups = new Map<string, { rows: Row[]; names: string[] }>()
  for (const row of rows) {
    const names = [`${row.time} ${row.stamp} ${row.content} ${row.id}`]
    if (row.response !== null) names.push(`response ${row.response}`)
    if (row.call !== null) names.push(`call ${row.call}`)
    const joined = [...new Set(names.flatMap((name) => groups.get(name) ?? []))]
    const group = joined[0] ?? { rows: [], names: [] }
    group.rows.push(row)
    for (const other of joined.slice(1)) {
      group.rows.push(...other.rows)
      names.push(...other.names)
    }
    for (const name of names) {
      if (groups.get(name) === group) continue
      groups.set(name, group)
      group.names.push(name)
    }
  }
  return [...new Set(groups.values())].flatMap((group) => {
    const counted = countedOf(sessions, group.rows)
    return group.rows.filter(({ session, n }) => counted.some((one) => one.session === session && one.n === n))
  })
}
