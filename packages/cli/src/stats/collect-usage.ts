import { filterValues, type UsageSums } from "@treelog/session-core/search"
import { type LibraryUsage, programOf } from "@treelog/stores"
import type { StatsOptions, UsageBy } from "../commands/stats/stats-options.js"
import type { CommandContext } from "../io/command-context.js"
import { shortSessionIds } from "../render/short-ids.js"
import { refreshIndex } from "../search/refresh-index.js"
import { type FoundSession, findToRead, idOfSession } from "../sessions/find-session.js"
import { type CommandLibrary, type CommandSource, folderOf, openLibrary } from "../sessions/open-library.js"
import { projectGroups } from "../sessions/scope.js"
import type { Failure } from "../sessions/stored-keys.js"
import { type Times, timesOf } from "../sessions/time-options.js"
import { type DatedPrices, openPrices } from "./prices.js"
import type { CostRow } from "./usage-sums.js"

/** The sums of several kinds, each over the same sessions. */
export interface CollectedUsage extends Pick<UsageSums, "total" | "parts"> {
  readonly rows: (by: UsageBy) => CostRow[]
  readonly times: Times
  readonly prices: DatedPrices
  readonly unreadable: readonly Failure[]
  /** Files in the stores that are empty, or of other programs. */
  readonly notSessions: number
  readonly library: CommandLibrary
  /** The name of the session that a row is of, or what its user said first; empty where it has neither. */
  readonly titleOf: (row: CostRow) => Promise<string>
  /** What has to be shown of the ids of sessions. */
  readonly shortIds: () => Promise<(id: string) => string>
}

/** Without limits of time, and without a session: the last days. */
export const LAST_DAYS = 30

/**
 * Sums tokens and cost of all sessions of all agents, of a folder or project where one is named, or of one session. Without limits of time
 * those of the last 30 days, with `--all` of all times. What several stores have counts once: for the agent that made it.
 */
export async function collectUsage(
  context: CommandContext,
  ref: string | undefined,
  kinds: readonly UsageBy[],
  options: StatsOptions,
): Promise<CollectedUsage> {
  const { io } = context
  const times = limitsOf(context, ref, options)
  const prices = await openPrices(io)
  const all = await openLibrary(context, options.allStores)
  const found = ref === undefined ? undefined : await findToRead(context, ref, all)
  const library = found && !options.allStores ? all.only([found.source]) : all
  const { failed, foreign } = await refreshIndex(context, library)
  const filter = await filterOf(context, found, options)
  const sums = await library.usage({ ...filter, ...times }, [...kinds, "agent"], {
    prices,
    projectOf: projectGroups(context),
  })
  const storeOf = (source: CommandSource): string => programOf(io, source.options.store, source) ?? source.address
  return {
    rows: (by) => sums.rows(by).map((row) => ({ ...row, ...(row.source && { store: storeOf(row.source) }) })),
    total: sums.total,
    parts: sums.parts,
    times,
    prices,
    unreadable: failed.map(({ key: path, code, message }) => ({ path, error: { code, message } })),
    notSessions: foreign.length,
    library,
    titleOf: async ({ session, source }) =>
      session && source ? library.titleOf({ session, source }, io.interrupted) : "",
    shortIds: async () => {
      const ids: string[] = []
      for (const { index } of library.sources) ids.push(...(await (await index()).ids()))
      const short = shortSessionIds(ids)
      return (id) => short.of(id)
    },
  }
}

function limitsOf({ io, options: { all } }: CommandContext, ref: string | undefined, options: StatsOptions): Times {
  const isLimited = options.since !== undefined || options.until !== undefined
  const since = isLimited || all || ref !== undefined ? options.since : `${LAST_DAYS}d`
  const { until } = options
  return timesOf({ ...(since !== undefined && { since }), ...(until !== undefined && { until }) }, io.now())
}

async function filterOf(
  context: CommandContext,
  found: FoundSession | undefined,
  options: StatsOptions,
): Promise<LibraryUsage> {
  const filters = filterValues((name) => options[name])
  if (found) return { ...filters, session: await idOfSession(found) }
  return { ...filters, scope: context.options.cwd === undefined ? undefined : folderOf(context) }
}
