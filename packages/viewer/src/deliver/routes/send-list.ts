import type { SessionInfo } from "@treelog/session-core"
import { costOf, type PriceUsage, timeSpan } from "@treelog/session-core/search"
import { streamResponse } from "./respond.js"
import type { RouteContext } from "./route-context.js"

/** How much of a first message is sent; a list shows less. UTF-16 units. */
const MOST_OF_MESSAGE = 500

/** Lines that are sent together. */
const PAGE = 64

/**
 * Sends sessions as lines of JSON, the newest first: what a list shows of them, without where they are stored. `cwd` limits them to a
 * folder, `since` and `until` to those with a message in that time, `limit` to so many.
 * @throws InvalidArgumentError for what is not a time
 */
export function sendList(context: RouteContext, { searchParams }: URL, signal: AbortSignal): Response {
  const times = timesIn(searchParams, context.now())
  return streamResponse(linesOf(context, searchParams, times, signal), "application/jsonl")
}

async function* linesOf(
  { sessions, scope, price, projectOf }: RouteContext,
  params: URLSearchParams,
  times: Times,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  const utf8 = new TextEncoder()
  const limit = limitIn(params) ?? Number.POSITIVE_INFINITY
  const cwd = scope.cwd ?? params.get("cwd") ?? undefined
  if (scope.cwd !== undefined && (params.get("cwd") ?? scope.cwd) !== scope.cwd) return
  const isTimed = times.since !== undefined || times.until !== undefined
  const settings = { signal, order: "newest" as const, ...(Number.isFinite(limit) && !isTimed && { limit }) }
  let [page, sent] = ["", 0]
  for await (const info of cwd === undefined ? sessions.listAll(settings) : sessions.list(cwd, settings)) {
    if (!isWithin(info.modified, times)) continue
    page += `${JSON.stringify({ ...publicInfo(info, price), ...(projectOf && { project: projectOf(info.cwd, () => info.repository) }) })}\n`
    sent += 1
    if (sent % PAGE === 0) {
      yield utf8.encode(page)
      page = ""
    }
    if (sent >= limit) break
  }
  if (page !== "") yield utf8.encode(page)
}

/** Without the place, which an error names too. */
function publicInfo({ path: _, error, usages, ...info }: SessionInfo, price: PriceUsage | undefined): object {
  const firstMessage = info.firstMessage.slice(0, MOST_OF_MESSAGE)
  return {
    ...info,
    firstMessage,
    ...(usages && { cost: costOf(usages, price) }),
    ...(error && { error: { code: error.code } }),
  }
}

export interface Times {
  readonly since?: number
  readonly until?: number
}

/** @throws InvalidArgumentError for what is not a time */
export function timesIn(params: URLSearchParams, now: number): Times {
  const [since, until] = [params.get("since"), params.get("until")]
  return {
    ...(since !== null && { since: timeSpan(since, now).from }),
    ...(until !== null && { until: timeSpan(until, now).to }),
  }
}

function isWithin(
  time: number,
  { since = Number.NEGATIVE_INFINITY, until = Number.POSITIVE_INFINITY }: Times,
): boolean {
  return time >= since && time < until
}

/** A positive number of rows; undefined where none is requested. */
export function limitIn(params: URLSearchParams): number | undefined {
  const text = params.get("limit")
  return text !== null && /^[1-9]\d{0,8}$/.test(text) ? Number(text) : undefined
}
