import { TreelogError } from "@treelog/session-core"
import { isSameFolder } from "@treelog/session-core/adapter"
import {
  costOf,
  type IndexedSession,
  type IndexFilter,
  type ModelUsage,
  type PriceUsage,
  parseQuery,
  type SessionIndex,
  type UsageQuery,
  type UsageRow,
  usageOfProjects,
} from "@treelog/session-core/search"
import type { IndexUpdates } from "./index-updates.js"
import { jsonResponse } from "./respond.js"
import type { RouteContext } from "./route-context.js"
import { limitIn, timesIn } from "./send-list.js"

/** Most hits of one answer. */
const MOST_HITS = 500
const PERIODS: ReadonlySet<string> = new Set([
  "total",
  "hour",
  "day",
  "week",
  "month",
  "project",
  "agent",
  "model",
  "session",
])

/**
 * Sends what was found by a query as `parseQuery` reads it, grouped by session. `updating` says how far the index is; null when it is
 * up to date.
 */
export async function sendSearch(context: RouteContext, { searchParams }: URL): Promise<Response> {
  const { index, updates } = indexOf(context)
  const agent = searchParams.get("agent")
  const query = {
    ...timesIn(searchParams, context.now()),
    ...(agent !== null && { agent }),
    ...parseQuery(searchParams.get("q") ?? "", context.now()),
    ...filterOf(context, searchParams),
  }
  const updating = (await updates.settled()) ?? null
  const limit = Math.min(limitIn(searchParams) ?? 50, MOST_HITS)
  const { sessions, isMore } = await index.search({ ...query, limit })
  const found = sessions.map(({ session, hits }) => ({ session: publicSession(session), hits }))
  return jsonResponse({ sessions: found, isMore, updating })
}

/**
 * Sends sums of tokens and cost, by `day`, `week`, `month`, `project`, `agent`, `model` or `session`. With `per`, each has the cost of its `model`s or
 * `project`s.
 */
export async function sendUsage(context: RouteContext, { searchParams }: URL): Promise<Response> {
  const { index, updates } = indexOf(context)
  const by = searchParams.get("by") ?? "total"
  if (!PERIODS.has(by))
    throw new TreelogError("InvalidArgumentError", `\`by\` is one of ${[...PERIODS].join(", ")}.`, {
      argument: "by",
      value: by,
    })
  const [project, agent, model, per] = ["project", "agent", "model", "per"].map(
    (name) => searchParams.get(name) ?? undefined,
  )
  if (per !== undefined && per !== "project" && per !== "model")
    throw new TreelogError("InvalidArgumentError", "`per` is project or model.", { argument: "per", value: per })
  const query = {
    by: by as NonNullable<UsageQuery["by"]>,
    ...(project !== undefined && { project }),
    ...(agent !== undefined && { agent }),
    ...(model !== undefined && { model }),
    ...timesIn(searchParams, context.now()),
    ...filterOf(context, searchParams),
  }
  const updating = (await updates.settled()) ?? null
  const rows = await usageOfProjects(index, query, context.projectOf)
  const projects = per === "project" ? await usageOfProjects(index, { ...query, per }, context.projectOf) : []
  const partsOf = ({ key, usages }: UsageRow): UsagePart[] =>
    per === "project"
      ? projects.flatMap((row) => (row.key === key ? [{ name: row.project ?? "", usages: row.usages }] : []))
      : [...new Set(usages.map(({ model }) => model))].map((name) => {
          return { name, usages: usages.filter((usage) => usage.model === name) }
        })
  return jsonResponse({
    rows: rows.map((row) => {
      const { key, totals, usages, session } = row
      const parts = per !== undefined && { parts: partsOf(row).map((part) => partAmounts(part, context.price)) }
      const amounts = { totals, cost: costOf(usages, context.price), ...parts }
      return session ? { key: session.id, ...amounts, session: publicSession(session) } : { key, ...amounts }
    }),
    updating,
  })
}

interface UsagePart {
  readonly name: string
  readonly usages: readonly ModelUsage[]
}

function partAmounts({ name, usages }: UsagePart, price: PriceUsage | undefined): object {
  const tokens = usages.reduce((sum, { usage }) => sum + usage.totalTokens, 0)
  return { name, cost: costOf(usages, price), tokens }
}

/** @throws IndexUnavailableError where there is none */
function indexOf({ index, updates }: RouteContext): { readonly index: SessionIndex; readonly updates: IndexUpdates } {
  if (index && updates) return { index, updates }
  const message = "These routes have no index."
  throw new TreelogError("IndexUnavailableError", message, { reason: "closed" })
}

/** The folder or project that is asked for, of what the request may see: no query of a user can widen that. */
function filterOf({ scope, sessions, projectOf }: RouteContext, params: URLSearchParams): IndexFilter {
  const asked = params.get("cwd") ?? undefined
  if (scope.cwd === undefined && asked === undefined) return {}
  return {
    isWanted: (session) =>
      (scope.cwd === undefined || sessions.isOfFolder(session, scope.cwd)) &&
      (asked === undefined ||
        isSameFolder(session.cwd, asked) ||
        projectOf?.(session.cwd, () => session.repository) === asked),
  }
}

/** Without the place where it is stored. */
function publicSession({ key: _, ...session }: IndexedSession): Omit<IndexedSession, "key"> {
  return session
}
