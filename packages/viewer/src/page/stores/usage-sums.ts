import { type Cost, costOf, knownCost, sumOfCosts, sumOfUsages, type UsageTotals } from "@treelog/session-core/search"
import type { SumPart, SumRow } from "../source/sessions-client.js"

export function sumOf(rows: readonly Pick<SumRow, "totals" | "cost">[]): { totals: UsageTotals; cost: Cost } {
  return {
    totals: sumOfUsages(rows.map(({ totals: usage }) => ({ usage }))),
    cost: sumOfCosts(rows.map(({ cost }) => cost)),
  }
}

/** How long the bar of a row is: by cost, where any of them has a known one, else by tokens. */
export function sizesOf(rows: readonly Pick<SumRow, "totals" | "cost">[]): number[] {
  const hasCost = rows.some(({ cost }) => knownCost(cost) > 0)
  return rows.map(({ totals, cost }) => (hasCost ? knownCost(cost) : totals.totalTokens))
}

/** The share of the input that came from the cache, from 0 to 1; undefined without input. */
export function cacheShare({ input, cacheRead, cacheWrite }: UsageTotals): number | undefined {
  const all = input + cacheRead + cacheWrite
  return all > 0 ? cacheRead / all : undefined
}

/** A day without a gap between the first and the last one. */
export interface Day {
  /** `2026-11-23`, as the index names local days. */
  readonly key: string
  readonly totals: UsageTotals
  readonly cost: Cost
  readonly parts: readonly SumPart[]
}

/** All days from one to another, those without usage too. @param from @param to as `2026-11-23` */
export function allDays(rows: readonly SumRow[], from: string, to: string): Day[] {
  const known = new Map(rows.map((row) => [row.key, row]))
  const days: Day[] = []
  // Noon in UTC: no change of the clocks moves it to another day.
  const at = new Date(`${from}T12:00:00Z`)
  for (let key = from; key <= to && days.length < MOST_DAYS; key = at.toISOString().slice(0, 10)) {
    const { totals = sumOfUsages([]), cost = costOf([]), parts = [] } = known.get(key) ?? {}
    days.push({ key, totals, cost, parts })
    at.setUTCDate(at.getUTCDate() + 1)
  }
  return days
}

/** More bars than that could not be seen. */
const MOST_BARS = 120
const SPANS = [
  { days: 1, name: "day" },
  { days: 7, name: "week" },
  { days: 28, name: "four weeks" },
] as const

/** Days, or the sums of weeks or of four weeks where there are too many days: each under its first day. */
export function spansOfDays(days: readonly Day[]): { readonly spans: readonly Day[]; readonly name: string } {
  const span = SPANS.find((one) => days.length <= one.days * MOST_BARS) ?? SPANS[2]
  const spans: Day[] = []
  for (let at = 0; at < days.length; at += span.days) {
    const own = days.slice(at, at + span.days)
    spans.push({ key: own[0]?.key ?? "", ...sumOf(own), parts: own.flatMap(({ parts }) => parts) })
  }
  return { spans, name: span.name }
}

/** More are not drawn one by one. */
const MOST_DAYS = 4_000

const COUNTS = ["calls", "input", "output", "cacheRead", "cacheWrite", "totalTokens"] as const

/** The address of rows as a file of comma-separated values (RFC 4180). An estimate of calls without a price is empty. */
export function csvAddress(rows: readonly SumRow[], by: string): string {
  const lines = [[by, ...COUNTS, "reported", "estimated", "unpricedTokens"].join(",")]
  for (const { key, session, totals, cost } of rows) {
    const counts = COUNTS.map((count) => totals[count])
    const { reported, estimated, unpriced } = cost
    const estimate = unpriced.tokens > 0 ? estimated || "" : estimated
    lines.push([csvText(session?.name || key), ...counts, reported, estimate, unpriced.tokens].join(","))
  }
  return `data:text/csv;charset=utf-8,${encodeURIComponent(`${lines.join("\r\n")}\r\n`)}`
}

/** What begins as a formula is quoted as text, so that no spreadsheet computes it. */
function csvText(text: string): string {
  // Half of a surrogate pair cannot be encoded.
  const whole = text.replace(/\p{Surrogate}/gu, "\ufffd")
  const safe = /^[=+\-@\t\r]/.test(whole) ? `'${whole}` : whole
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
