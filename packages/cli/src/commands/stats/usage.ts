import type { UsageTotals } from "@treelog/session-core"
import { type IndexFilter, sortedRows, type UsageRow } from "@treelog/session-core/search"
import { ownFolder } from "@treelog/stores"
import { plural } from "@treelog-internal/text"
import { EXIT, type ExitCode } from "../../errors/exit-codes.js"
import { UsageError } from "../../errors/usage-error.js"
import type { CommandContext } from "../../io/command-context.js"
import { usageTable } from "../../render/usage-table.js"
import { refreshIndex } from "../../search/refresh-index.js"
import { filterOfScope } from "../../search/scope-filter.js"
import { type IndexedStore, indexedStores } from "../../search/searched-store.js"
import { idOfSession } from "../../sessions/open-to-read-or-write.js"
import { type Failure, failureLine } from "../../sessions/stored-keys.js"
import { timesOf } from "../../sessions/time-options.js"
import type { StatsOptions, UsageBy } from "./stats-options.js"

/** A sum, and the program whose store it is of, where several are. */
export type StoreRow = UsageRow & { readonly store?: string }

/** Sums tokens and cost of all sessions of the scope, or of one. Forks count what they copied once. */
export async function printUsage(
  context: CommandContext,
  ref: string | undefined,
  options: StatsOptions,
): Promise<ExitCode> {
  if (options.disk || options.files)
    throw new UsageError("--disk and --files cannot be combined with --by, --since, --until or --all-stores.")
  const { by = "total", allStores = false } = options
  const times = timesOf(options, context.io.now())
  const rows: StoreRow[] = []
  const unreadable: Failure[] = []
  for (const store of await indexedStores(context, allStores)) {
    const { failed } = await refreshIndex(store.context, store.index)
    unreadable.push(...failed.map(({ key: path, code, message }) => ({ path, error: { code, message } })))
    const filter = { ...(await filterOf(store, ref)), ...times }
    if (by === "agent") rows.push(...(await store.index.usage(filter)).map((row) => ({ ...row, key: agentOf(store) })))
    else {
      const named = store.program === undefined ? {} : { store: store.program }
      rows.push(...(await store.index.usage({ ...filter, by })).map((row) => ({ ...row, ...named })))
    }
  }
  const total = rows.map((row) => row.totals).reduce(summed, NOTHING)
  const sorted = by === "agent" ? sortedRows(rows, "total") : rows
  if (context.options.json)
    await context.printJson({ by, rows: sorted.map(rowDocument), total: totalsDocument(total), unreadable })
  else await printTable(context, by, sorted, total, unreadable)
  return unreadable.length === 0 ? EXIT.ok : EXIT.failed
}

async function filterOf({ sessions }: IndexedStore, ref: string | undefined): Promise<IndexFilter> {
  return ref === undefined ? filterOfScope(sessions.scope) : { session: await idOfSession(sessions, ref) }
}

/** The program whose store it is; of another folder or a database, its address. */
function agentOf({ program, context, sessions: { agent, files, address } }: IndexedStore): string {
  const preset = files?.name.preset ?? (address === ownFolder(context.io, "treelog") ? "treelog" : undefined)
  return program ?? agent ?? preset ?? address
}

async function printTable(
  context: CommandContext,
  by: UsageBy,
  rows: readonly StoreRow[],
  total: UsageTotals,
  unreadable: readonly Failure[],
): Promise<void> {
  const { io, style } = context
  if (rows.length > 0) await context.print(usageTable(rows, total, { by, style, home: io.env.HOME }))
  else await context.log("No usage was reported.")
  await context.print(unreadable.map((one) => failureLine(one, style)))
  if (unreadable.length > 0)
    await context.log(`Not counted: ${plural(unreadable.length, "session")} that cannot be read.`)
}

const NOTHING: UsageTotals = { calls: 0, input: 0, output: 0, cacheRead: 0, cacheWrite: 0, totalTokens: 0, cost: 0 }

function summed(a: UsageTotals, b: UsageTotals): UsageTotals {
  return {
    calls: a.calls + b.calls,
    input: a.input + b.input,
    output: a.output + b.output,
    cacheRead: a.cacheRead + b.cacheRead,
    cacheWrite: a.cacheWrite + b.cacheWrite,
    totalTokens: a.totalTokens + b.totalTokens,
    cost: a.cost + b.cost,
  }
}

function rowDocument({ key, store, session, totals }: StoreRow): object {
  const { id, cwd, name } = session ?? {}
  return {
    ...(store !== undefined && { store }),
    ...(session ? { session: { path: key, id, cwd, name } } : { key }),
    ...totalsDocument(totals),
  }
}

function totalsDocument(totals: UsageTotals): UsageTotals {
  return summed(totals, NOTHING)
}
