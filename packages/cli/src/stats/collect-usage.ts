import { costOf, isPeriod, sessionTitle } from "@treelog/session-core/search"
import { agentOf, type LibraryUsage, programOf } from "@treelog/stores"
import type { StatsOptions, UsageBy } from "../commands/stats/stats-options.js"
import type { CommandContext } from "../io/command-context.js"
import { shortSessionIds } from "../render/short-ids.js"
import { refreshIndex } from "../search/refresh-index.js"
import { idOfSession } from "../sessions/find-session.js"
import { type CommandLibrary, folderOf, openLibrary } from "../sessions/open-library.js"
import { projectGroups } from "../sessions/scope.js"
import type { Failure } from "../sessions/stored-keys.js"
import { type Times, timesOf } from "../sessions/time-options.js"
import { openPrices, type Prices } from "./prices.js"
import { type CostRow, type SumName, UsageSums } from "./usage-sums.js"

/** The sums of several kinds, each over the same sessions. */
export interface CollectedUsage {
  readonly rows: (by: UsageBy) => CostRow[]
  readonly total: CostRow
  /** What the parts of sessions used, by their role: it is in all sums. */
  readonly parts: readonly CostRow[]
  readonly times: Times
  readonly prices: Prices
  readonly unreadable: readonly Failure[]
  /** Files in the stores that are empty, or of other programs. */
  readonly notSessions: number
  readonly library: CommandLibrary
  /** What has to be shown of the ids of sessions. */
  readonly shortIds: () => Promise<(id: string) => string>
}

/** What is known of each session. */
const BY_SESSION: readonly UsageBy[] = ["session", "project", "agent", "person"]

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
  const times = limitsOf(context, ref, options)
  const prices = await openPrices(context.io)
  const sums = new Map(kinds.map((by) => [by, new UsageSums()]))
  const models = sums.get("model")
  const parts = new UsageSums()
  const whole = new UsageSums()
  const groupOf = projectGroups(context)
  const ofSessions: readonly UsageBy[] = kinds.filter((by) => BY_SESSION.includes(by))
  const others = kinds.filter((by) => !ofSessions.includes(by))
  // Sums of each session on each day would be many more than those of each day and of each session.
  const questions = [
    ...(others.length > 0 ? [{ by: others.find(isPeriod) ?? ("total" as const), kinds: others }] : []),
    ...(ofSessions.length > 0 ? [{ by: "session" as const, kinds: ofSessions }] : []),
  ]
  const library = await openLibrary(context, options.allStores)
  const { failed, foreign } = await refreshIndex(context, library)
  const filter = await filterOf(context, library, ref, options.agent)
  for (const span of spansOf(times, prices.changes)) {
    const price = prices.at(span.until === undefined ? undefined : span.until - 1)
    const asked = questions.map(({ by }) => by)
    for (const { source, sums: answers } of await library.usage({ ...filter, ...span }, asked)) {
      const store = programOf(context.io, source.context.options.store, source) ?? source.address
      for (const [nth, { by: asked, rows }] of answers.entries())
        for (const { key, session, usages, totals } of rows) {
          const findTitle = async (): Promise<string> =>
            session ? sessionTitle(source.storage, session, context.io.interrupted) : ""
          const nameOf = (by: UsageBy): SumName | undefined => {
            if (by === "session") return { key, ...(session && { session, store, findTitle }) }
            if (by === "project") return { key: groupOf(session?.cwd ?? "", () => session?.repository) }
            if (by === "person") return { key: session?.person ?? "" }
            return by === "agent" ? { key: agentOf(session ?? {}, source) } : by === asked ? { key } : undefined
          }
          const costs = usages.map((one) => costOf([one], price))
          for (const by of questions[nth]?.kinds ?? []) {
            const name = nameOf(by)
            if (name) sums.get(by)?.add(name, totals, costs)
          }
          if (nth > 0) continue
          whole.add({ key: "total" }, totals, costs)
          for (const [at, one] of usages.entries()) {
            const cost = costs.slice(at, at + 1)
            if (one.role !== undefined) parts.add({ key: one.role }, one.usage, cost)
            models?.add({ key: one.model }, one.usage, cost)
          }
        }
    }
  }
  const rows = new Map(kinds.map((by) => [by, sums.get(by)?.rows(by) ?? []]))
  return {
    rows: (by) => rows.get(by) ?? [],
    total: whole.total(),
    parts: parts.rows("agent"),
    times,
    prices,
    unreadable: failed.map(({ key: path, code, message }) => ({ path, error: { code, message } })),
    notSessions: foreign.length,
    library,
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
  library: CommandLibrary,
  ref: string | undefined,
  agent: string | undefined,
): Promise<LibraryUsage> {
  if (ref !== undefined) return { session: await idOfSession(library, context, ref) }
  return { agent, scope: context.options.cwd === undefined ? undefined : folderOf(context) }
}

/** Spans with one price each. */
function spansOf({ since, until }: Times, changes: readonly number[]): Times[] {
  const isInside = (time: number): boolean =>
    time > (since ?? Number.NEGATIVE_INFINITY) && time < (until ?? Number.POSITIVE_INFINITY)
  const ends = [...changes.filter(isInside), until]
  return ends.map((end, at) => {
    const start = at === 0 ? since : ends[at - 1]
    return { ...(start !== undefined && { since: start }), ...(end !== undefined && { until: end }) }
  })
}
