import { costOf, type IndexFilter, isPeriod, sessionTitle } from "@treelog/session-core/search"
import { CountedEntries } from "@treelog/stores"
import type { StatsOptions, UsageBy } from "../commands/stats/stats-options.js"
import type { CommandContext } from "../io/command-context.js"
import { shortSessionIds } from "../render/short-ids.js"
import { refreshIndex } from "../search/refresh-index.js"
import { type IndexedStore, indexedStores } from "../search/searched-store.js"
import { agentOfStore } from "../sessions/of-agent.js"
import { idOfSession } from "../sessions/open-to-read-or-write.js"
import { programOf } from "../sessions/program-of.js"
import { filterOfScope, projectGroups } from "../sessions/scope.js"
import type { Failure } from "../sessions/stored-keys.js"
import { type Times, timesOf } from "../sessions/time-options.js"
import { copiesLast } from "./copies-last.js"
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
  readonly stores: readonly IndexedStore[]
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
  const unreadable: Failure[] = []
  let notSessions = 0
  const groupOf = projectGroups(context)
  const ofSessions: readonly UsageBy[] = kinds.filter((by) => BY_SESSION.includes(by))
  const others = kinds.filter((by) => !ofSessions.includes(by))
  // Sums of each session on each day would be many more than those of each day and of each session.
  const questions = [
    ...(others.length > 0 ? [{ by: others.find(isPeriod) ?? ("total" as const), kinds: others }] : []),
    ...(ofSessions.length > 0 ? [{ by: "session" as const, kinds: ofSessions }] : []),
  ]
  const stores = copiesLast(await indexedStores(context, options.allStores))
  const spans = spansOf(times, prices.changes).map((span) => ({ span, counted: new CountedEntries() }))
  for (const store of stores) {
    const { failed, foreign } = await refreshIndex(store.context, store.index)
    notSessions += foreign.length
    unreadable.push(...failed.map(({ key: path, code, message }) => ({ path, error: { code, message } })))
    const filter = await filterOf(store, ref, options.agent)
    const agent = agentOfStore(store.context, store.sessions)
    const name = programOf(context.io, store.context.options.store, store.sessions) ?? store.sessions.address
    for (const { span, counted } of spans) {
      const except = await counted.copiesIn(store.index, { ...filter, ...span })
      const price = prices.at(span.until === undefined ? undefined : span.until - 1)
      for (const [nth, { by: asked, kinds }] of questions.entries())
        for (const { key, session, usages, totals } of await store.index.usage({
          ...filter,
          ...span,
          except,
          by: asked,
        })) {
          const findTitle = async (): Promise<string> =>
            session ? sessionTitle(store.sessions.storage, session, context.io.interrupted) : ""
          const nameOf = (by: UsageBy): SumName | undefined => {
            if (by === "session") return { key, ...(session && { session, store: name, findTitle }) }
            if (by === "project") return { key: groupOf(session?.cwd ?? "", () => session?.repository) }
            if (by === "person") return { key: session?.person ?? "" }
            return by === "agent" ? { key: session?.agent ?? agent } : by === asked ? { key } : undefined
          }
          const costs = usages.map((one) => costOf([one], price))
          for (const by of kinds) {
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
    unreadable,
    notSessions,
    stores,
    shortIds: async () => {
      const ids: string[] = []
      for (const { index } of stores) ids.push(...(await index.ids()))
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
  { sessions, context }: IndexedStore,
  ref: string | undefined,
  agent: string | undefined,
): Promise<IndexFilter> {
  if (ref !== undefined) return { session: await idOfSession(sessions, ref) }
  const scope = context.options.cwd === undefined ? {} : sessions.scope
  return { ...filterOfScope(scope), ...(agent !== undefined && { agent }) }
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
