import type { Cost, SumRow, UsageSums, UsageTotals } from "@treelog/session-core/search"
import { cleanLine } from "@treelog-internal/text"
import type { CommandLibrary, CommandSource } from "../../sessions/open-library.js"
import type { DatedPrices } from "../../sessions/prices.js"
import type { Times } from "../../sessions/time-options.js"
import type { Failure } from "../../store/stored-keys.js"
import type { UsageBy } from "./stats-options.js"

/** A sum, and of a session the program whose store has it. */
export interface CostRow extends SumRow<CommandSource> {
  readonly store?: string
}

/** The sums of several kinds, each over the same sessions. */
export interface CollectedUsage extends Pick<UsageSums, "total" | "parts"> {
  readonly rows: (by: UsageBy) => CostRow[]
  readonly times: Times
  readonly prices: DatedPrices
  readonly unreadable: readonly Failure[]
  /** Files in the stores that are empty, or of other programs. */
  readonly notSessions: number
  readonly library: CommandLibrary
}

interface Amounts extends Pick<UsageTotals, "calls" | "input" | "output" | "cacheRead" | "cacheWrite" | "totalTokens"> {
  readonly cost: Cost
}

export function amountsOf({ totals, cost }: Pick<SumRow, "totals" | "cost">): Amounts {
  const { calls, input, output, cacheRead, cacheWrite, totalTokens } = totals
  return { calls, input, output, cacheRead, cacheWrite, totalTokens, cost }
}

export function partAmounts(row: SumRow): Amounts & { readonly role: string } {
  return { role: row.key, ...amountsOf(row) }
}

/** Sums as a JSON document. */
export function usageDocument(
  { rows, total, parts, times, prices, unreadable, notSessions }: CollectedUsage,
  kinds: readonly UsageBy[],
  by: UsageBy | undefined,
): object {
  const { since, until } = times
  const sums =
    by === undefined && kinds.length > 1
      ? { sums: Object.fromEntries(kinds.map((kind) => [kind, rows(kind).map(rowDocument)])) }
      : { by: kinds[0], rows: rows(kinds[0] ?? "day").map(rowDocument) }
  return {
    ...sums,
    total: amountsOf(total),
    parts: parts.map(partAmounts),
    since: since === undefined ? undefined : new Date(since).toISOString(),
    until: until === undefined ? undefined : new Date(until).toISOString(),
    prices: prices.date,
    unreadable,
    notSessions,
  }
}

function rowDocument(row: CostRow): object {
  const { key, store, session } = row
  const { id, cwd, name } = session ?? {}
  return {
    store,
    ...(session ? { session: { path: key, id, cwd, name } } : { key }),
    ...amountsOf(row),
  }
}

const CSV_COLUMNS = ["calls", "input", "output", "cacheRead", "cacheWrite", "totalTokens"] as const

/** RFC 4180, with plain numbers. An estimate of calls without a price is empty. */
export function* csvLines(rows: readonly CostRow[], by: UsageBy): Generator<string> {
  const heads = by === "session" ? ["session", "name", "folder"] : [by]
  yield [...heads, ...CSV_COLUMNS, "reported", "estimated", "unpricedTokens"].join(",")
  for (const { key, session, totals, cost } of rows) {
    const names = session ? [session.id, session.name, session.cwd] : [key]
    const { reported, estimated, unpriced } = cost
    yield [
      ...names.map(csvText),
      ...CSV_COLUMNS.map((column) => totals[column]),
      reported,
      unpriced.tokens > 0 ? estimated || "" : estimated,
      unpriced.tokens,
    ].join(",")
  }
}

/** What begins as a formula is quoted as text, so that no spreadsheet computes it. */
function csvText(text: string): string {
  const line = cleanLine(text)
  const safe = /^[=+\-@]/.test(line) ? `'${line}` : line
  return /[",]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
