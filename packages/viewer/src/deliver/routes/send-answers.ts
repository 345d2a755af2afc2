import { TreelogError } from "@treelog/session-core"
import {
  costOf,
  type IndexedSession,
  type IndexFilter,
  type ModelUsage,
  type PriceUsage,
  parseQuery,
  type SessionIndex,
  type UsageQuery,
} from "@treelog/session-core/search"
import type { IndexUpdates } from "./index-updates.js"
import { jsonResponse } from "./respond.js"
import type { RouteContext } from "./route-context.js"
import { limitIn, timesIn } from "./send-list.js"

/** Most hits of one answer. */
const MOST_HITS = 500
const PERIODS: ReadonlySet<string> = new Set(["total", "hour", "day", "week", "month", "project", "model", "session"])

/**
 * Sends what was found by a query as `parseQuery` reads it, grouped by session. `updating` says how far the index is; null when it is
 * up to date.
 */
export async function sendSearch(context: RouteContext, { searchParams }: URL): Promise<Response> {
  const { index, updates } = indexOf(context)
  const cwd = searchParams.get("cwd") ?? undefined
  const query = {
    ...(cwd !== undefined && { cwd }),
    ...timesIn(searchParams, context.now()),
    ...parseQuery(searchParams.get("q") ?? "", context.now()),
    ...filterOf(context),
  }
  const updating = (await updates.settled()) ?? null
  const limit = Math.min(limitIn(searchParams) ?? 50, MOST_HITS)
  const { sessions, isMore } = await index.search({ ...query, limit })
  const found = sessions.map(({ session, hits }) => ({ session: publicSession(session), hits }))
  return jsonResponse({ sessions: found, isMore, updating })
}

/** Sends sums of tokens and cost, by `day`, `week`, `month`, `project`, `model` or `session`. */
export async function sendUsage(context: RouteContext, { searchParams }: URL): Promise<Response> {
  const { index, updates } = indexOf(context)
  const by = searchParams.get("by") ?? "total"
  if (!PERIODS.has(by))
    throw new TreelogError("InvalidArgumentError", `\`by\` is one of ${[...PERIODS].join(", ")}.`, {
      argument: "by",
      value: by,
    })
  const [cwd, project, model] = ["cwd", "project", "model"].map((name) => searchParams.get(name) ?? undefined)
  const query = {
    by: by as NonNullable<UsageQuery["by"]>,
    ...(cwd !== undefined && { cwd }),
    ...(project !== undefined && { project }),
    ...(model !== undefined && { model }),
    ...timesIn(searchParams, context.now()),
    ...filterOf(context),
  }
  const updating = (await updates.settled()) ?? null
  const rows = await index.usage(query)
  return jsonResponse({
    rows: rows.map(({ key, totals, usages, session }) => {
      const models = by === "day" && { models: modelsOf(usages, context.price) }
      const amounts = { totals, cost: costOf(usages, context.price), ...models }
      return session ? { key: session.id, ...amounts, session: publicSession(session) } : { key, ...amounts }
    }),
    updating,
  })
}

/** What each model of a sum cost. */
function modelsOf(usages: readonly ModelUsage[], price: PriceUsage | undefined): object[] {
  return [...new Set(usages.map(({ model }) => model))].map((model) => {
    const own = usages.filter((usage) => usage.model === model)
    return { model, cost: costOf(own, price), tokens: own.reduce((sum, { usage }) => sum + usage.totalTokens, 0) }
  })
}

/** @throws IndexUnavailableError where there is none */
function indexOf({ index, updates }: RouteContext): { readonly index: SessionIndex; readonly updates: IndexUpdates } {
  if (index && updates) return { index, updates }
  const message = "These routes have no index."
  throw new TreelogError("IndexUnavailableError", message, { reason: "closed" })
}

/** What no query of a user can widen. */
function filterOf({ scope: { cwd } }: RouteContext): Pick<IndexFilter, "cwd"> {
  return cwd === undefined ? {} : { cwd }
}

/** Without the place where it is stored. */
function publicSession({ key: _, ...session }: IndexedSession): Omit<IndexedSession, "key"> {
  return session
}
