import type { SessionInfo } from "@treelog/session-core"
import { listSessions } from "@treelog/session-core/adapter"
import { filterValues } from "@treelog/session-core/search"
import type { AgentStorage } from "@treelog/stores"
import { cleanLine, costNotes, plural } from "@treelog-internal/text"
import { EXIT, type ExitCode } from "../../errors/exit-codes.js"
import { UsageError } from "../../errors/usage-error.js"
import type { CommandContext } from "../../io/command-context.js"
import { MOST_SESSIONS, overviewLines, usageTable } from "../../render/usage-table.js"
import { kindsIn, uncountedSentence } from "../../sessions/agent-kinds.js"
import { folderOf, nothingExamined } from "../../sessions/open-library.js"
import { failureLine } from "../../sessions/stored-keys.js"
import { logUnread } from "../../sessions/unread-files.js"
import { type CollectedUsage, collectUsage, LAST_DAYS } from "../../stats/collect-usage.js"
import type { CostRow } from "../../stats/usage-sums.js"
import { amountsOf, partAmounts } from "../../stats/usage-sums.js"
import type { StatsOptions, UsageBy } from "./stats-options.js"

/** What the overview is made of. */
const OVERVIEW = ["day", "model", "project", "session"] as const

/** Sums tokens and cost: of all sessions, or of one; by something, or as an overview. Forks count what they copied once. */
export async function printUsage(
  context: CommandContext,
  ref: string | undefined,
  options: StatsOptions,
): Promise<ExitCode> {
  if (options.disk || options.files)
    throw new UsageError("--disk and --files cannot be combined with --by, --since, --until, --csv or --all-stores.")
  if (options.csv && context.options.json) throw new UsageError("--csv and --json cannot be combined.")
  const by = options.by as UsageBy | undefined
  const kinds: readonly UsageBy[] = by !== undefined ? [by] : ref !== undefined || options.csv ? ["day"] : OVERVIEW
  const usage = await collectUsage(context, ref, kinds, options)
  if (ref === undefined) await logUnread(context)
  const isEverywhere = context.options.cwd === undefined
  const { library } = usage
  const scope = isEverywhere ? undefined : folderOf(context)
  if (ref === undefined && usage.total.totals.calls === 0 && !(await library.isAny({ scope })))
    return nothingExamined(context, library.sources, isEverywhere)
  if (context.options.json) await context.printJson(documentOf(usage, kinds, by))
  else if (options.csv) await context.print(csvLines(usage.rows(kinds[0] ?? "day"), kinds[0] ?? "day"))
  else await printTables(context, usage, kinds, options)
  const isFiltered = ref !== undefined || !isEverywhere || Object.keys(filterValues((name) => options[name])).length > 0
  if (!isFiltered || usage.total.totals.calls === 0) await warnOfUncounted(context, usage)
  if (usage.unreadable.length > 0 && !context.options.json)
    await context.log(`Not counted: ${plural(usage.unreadable.length, "session")} that cannot be read.`)
  return usage.unreadable.length === 0 ? EXIT.ok : EXIT.failed
}

async function printTables(
  context: CommandContext,
  usage: CollectedUsage,
  kinds: readonly UsageBy[],
  options: StatsOptions,
): Promise<void> {
  const { io, style } = context
  const { total, parts, times, prices, unreadable } = usage
  const [by = "day"] = kinds
  const sessions =
    kinds.length > 1 ? usage.rows("session").slice(0, MOST_SESSIONS) : by === "session" ? usage.rows(by) : []
  const titles = new Map<string, string>()
  for (const row of sessions) titles.set(row.key, await usage.titleOf(row))
  const shortId = sessions.length > 0 ? await usage.shortIds() : undefined
  const look = { style, home: io.env.HOME, titles, ...(shortId && { shortId }) }
  if (total.totals.calls === 0) await context.log(`No usage was reported${timeText(times, options)}.`)
  else if (kinds.length > 1) await context.print(overviewLines(usage, look))
  else await context.print(usageTable(usage.rows(by), { total, parts }, { by, ...look }))
  const notes = costNotes(total.cost, prices.date)
  if (notes.length > 0) await context.print(["", ...notes.map((note) => style.paint("dim", note))])
  await context.print(unreadable.map((one) => failureLine(one, style)))
}

/** How many of an agent's newest sessions are asked what of their records is not counted. */
const EXAMINED = 20

/** Names what has tokens in the sessions of agents of which no usage counts. */
async function warnOfUncounted(context: CommandContext, { library, times, rows }: CollectedUsage): Promise<void> {
  const counted = new Set(rows("agent").flatMap(({ key, totals }) => (totals.calls > 0 ? [key] : [])))
  for (const { name, agent, storage } of library.sources) {
    if (agent === undefined || counted.has(agent)) continue
    const newest: SessionInfo[] = []
    for await (const info of listSessions(storage, undefined, { order: "newest", limit: EXAMINED })) newest.push(info)
    const { uncountedKinds: kinds } = await kindsIn(
      storage as AgentStorage,
      newest.filter(({ error, modified }) => !error && modified >= (times.since ?? 0)),
    )
    const data = { store: name, kinds }
    if (kinds.length > 0) context.warn({ code: "UncountedUsage", data }, `${name}: ${uncountedSentence(kinds)}.`)
  }
}

function documentOf(
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
    ...(since !== undefined && { since: new Date(since).toISOString() }),
    ...(until !== undefined && { until: new Date(until).toISOString() }),
    prices: prices.date,
    unreadable,
    notSessions,
  }
}

function rowDocument(row: CostRow): object {
  const { key, store, session } = row
  const { id, cwd, name } = session ?? {}
  return {
    ...(store !== undefined && { store }),
    ...(session ? { session: { path: key, id, cwd, name } } : { key }),
    ...amountsOf(row),
  }
}

const CSV_COLUMNS = ["calls", "input", "output", "cacheRead", "cacheWrite", "totalTokens"] as const

/** RFC 4180, with plain numbers. An estimate of calls without a price is empty. */
function* csvLines(rows: readonly CostRow[], by: UsageBy): Generator<string> {
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

/** For a sentence that there is nothing: the limits of time, also those that nobody gave. */
function timeText({ since: from }: CollectedUsage["times"], { since, until }: StatsOptions): string {
  if (since !== undefined || until !== undefined) return " in that time"
  return from === undefined ? "" : ` in the last ${LAST_DAYS} days; --all counts all`
}
