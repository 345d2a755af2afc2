import { TreelogError } from "@treelog/session-core"
import { isSameFolder } from "@treelog/session-core/adapter"
import {
  type IndexedSession,
  type IndexFilter,
  parseQuery,
  QUERY_VALUES,
  type UsageQuery,
} from "@treelog/session-core/search"
import { jsonResponse } from "./respond.js"
import type { AnswerContext } from "./route-context.js"
import { asked, filtersIn, limitIn, timesIn } from "./send-list.js"
import type { ServedSource } from "./served-sessions.js"

const MOST_HITS = 500
const KINDS: ReadonlySet<string> = new Set(QUERY_VALUES.by)

/**
 * Sends what was found by a query as `parseQuery` reads it, grouped by session. `updating` says how far the index is; null when it is
 * up to date.
 */
export async function sendSearch<From extends ServedSource>(
  context: AnswerContext<From>,
  { searchParams }: URL,
): Promise<Response> {
  const query = {
    ...timesIn(searchParams, context.now()),
    ...filtersIn(searchParams),
    ...parseQuery(searchParams.get("q") ?? "", context.now()),
    ...filterOf(context, searchParams),
  }
  const updating = (await context.updates.settled()) ?? null
  const limit = Math.min(limitIn(searchParams) ?? 50, MOST_HITS)
  const { sessions, faults } = asked(context, searchParams)
  const { sessions: groups, isMore } = await sessions.search({ ...query, limit })
  const found = groups.map(({ session, hits, source }) => ({
    session: publicSession(session),
    ...storeOf(context, source),
    hits,
  }))
  return jsonResponse({ sessions: found, isMore, updating, ...(faults.length > 0 && { faults }) })
}

/**
 * Sends sums of tokens and cost, by `day`, `week`, `month`, `project`, `agent`, `model` or `session`. With `per`, each has the cost of its `model`s or
 * `project`s.
 */
export async function sendUsage<From extends ServedSource>(
  context: AnswerContext<From>,
  { searchParams }: URL,
): Promise<Response> {
  const by = searchParams.get("by") ?? "total"
  if (!KINDS.has(by))
    throw new TreelogError("InvalidArgumentError", `\`by\` is one of ${[...KINDS].join(", ")}.`, {
      argument: "by",
      value: by,
    })
  const per = searchParams.get("per") ?? undefined
  if (per !== undefined && per !== "project" && per !== "model")
    throw new TreelogError("InvalidArgumentError", "`per` is project or model.", { argument: "per", value: per })
  const query = {
    ...filtersIn(searchParams),
    ...timesIn(searchParams, context.now()),
    ...filterOf(context, searchParams),
  }
  const updating = (await context.updates.settled()) ?? null
  const { sessions, faults } = asked(context, searchParams)
  const { prices, projectOf } = context
  const sums = await sessions.usage(query, [by as NonNullable<UsageQuery["by"]>], { prices, projectOf, shares: per })
  const rows = sums.rows(by as NonNullable<UsageQuery["by"]>).map(({ key, totals, cost, session, source, shares }) => ({
    key: session?.id ?? key,
    totals,
    cost,
    ...(shares && {
      parts: shares.map((share) => ({ name: share.key, cost: share.cost, tokens: share.totals.totalTokens })),
    }),
    ...(session && { session: publicSession(session) }),
    ...(source && storeOf(context, source)),
  }))
  return jsonResponse({ rows, updating, ...(faults.length > 0 && { faults }) })
}

/** The folder or project that is asked for, of what the request may see: no query of a user can widen that. */
function filterOf<From extends ServedSource>(
  { seen, projectOf }: AnswerContext<From>,
  params: URLSearchParams,
): IndexFilter {
  const cwd = params.get("cwd")
  if (!seen && cwd === null) return {}
  return {
    isWanted: (session) =>
      seen?.has(session) !== false &&
      (cwd === null || isSameFolder(session.cwd, cwd) || projectOf?.(session.cwd, () => session.repository) === cwd),
  }
}

function storeOf<From extends ServedSource>({ nameOf }: AnswerContext<From>, source: From): object {
  const store = nameOf(source)
  return store === "" ? {} : { store }
}

/** Without the place where it is stored. */
function publicSession({ key: _, source: __, ...session }: IndexedSession): Omit<IndexedSession, "key" | "source"> {
  return session
}
