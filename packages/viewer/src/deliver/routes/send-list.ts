import { isTreelogError, type TreelogError } from "@treelog/session-core"
import { costOf, type FilterValues, filterValues, timeSpan } from "@treelog/session-core/search"
import type { StoreFault } from "../../wire.js"
import { streamResponse } from "./respond.js"
import type { AnswerContext } from "./route-context.js"
import type { ServedSession, ServedSessions, ServedSource } from "./served-sessions.js"

/** How much of a first message is sent; a list shows less. UTF-16 units. */
const MOST_OF_MESSAGE = 500

/** Lines that are sent together. */
const PAGE = 64

/**
 * Sends sessions as lines of JSON, the newest first: what a list shows of them, without where they are stored. `cwd` limits them to a
 * folder, `since` and `until` to those with a message in that time, `limit` to so many. Last come the stores that cannot be read.
 * @throws InvalidArgumentError for what is not a time
 */
export function sendList<From extends ServedSource>(
  context: AnswerContext<From>,
  { searchParams }: URL,
  signal: AbortSignal,
): Response {
  const times = timesIn(searchParams, context.now())
  return streamResponse(linesOf(context, searchParams, times, signal), "application/jsonl")
}

async function* linesOf<From extends ServedSource>(
  context: AnswerContext<From>,
  params: URLSearchParams,
  times: Times,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  const { seen } = context
  const scope = params.get("cwd") ?? seen?.cwd
  if (seen && scope !== seen.cwd) return
  const utf8 = new TextEncoder()
  const { sessions, faults } = asked(context, params)
  const limit = limitIn(params)
  const order = sessions.sources.length === 1 ? "newest" : "streamed"
  const liveOf = await context.live?.()
  let lines: object[] = []
  const found = sessions.list({ scope, ...filtersIn(params), ...times }, { signal, order, limit })
  try {
    for await (const info of found) {
      const live = await liveOf?.(info)
      lines.push({ ...lineOf(context, info), ...(live && { live: { state: live.state, since: live.since } }) })
      if (lines.length < PAGE) continue
      yield utf8.encode(jsonLines(lines))
      lines = []
    }
  } catch (error) {
    // The status was sent before.
    if (!isTreelogError(error)) throw error
    lines.push({ fault: { store: sessions.sources.map(context.nameOf).join(", "), code: error.code } })
  }
  lines.push(...faults.map((fault) => ({ fault })))
  if (lines.length > 0) yield utf8.encode(jsonLines(lines))
}

/** Without the place, which an error names too. */
function lineOf<From extends ServedSource>(
  { prices, projectOf, nameOf }: AnswerContext<From>,
  { path: _, error, usages, source, copies, ...info }: ServedSession<From>,
): object {
  const store = nameOf(source)
  return {
    ...info,
    firstMessage: info.firstMessage.slice(0, MOST_OF_MESSAGE),
    ...(usages && { cost: costOf(usages, prices?.at()) }),
    ...(error && { error: { code: error.code } }),
    ...(projectOf && { project: projectOf(info.cwd, () => info.repository) }),
    ...(store !== "" && { store }),
    ...(copies.length > 0 && { copies: copies.map((copy) => nameOf(copy.source)) }),
  }
}

function jsonLines(lines: readonly object[]): string {
  return lines.map((line) => `${JSON.stringify(line)}\n`).join("")
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

export function filtersIn(params: URLSearchParams): FilterValues {
  return filterValues((name) => params.get(name))
}

/** A positive number of rows; undefined where none is requested. */
export function limitIn(params: URLSearchParams): number | undefined {
  const text = params.get("limit")
  return text !== null && /^[1-9]\d{0,8}$/.test(text) ? Number(text) : undefined
}

/** The sessions that a request asks for, of all stores or of the one that it names; and the stores that could not be read when all were asked. */
export function asked<From extends ServedSource>(
  { sessions, updates, nameOf }: AnswerContext<From>,
  params: URLSearchParams,
): { readonly sessions: ServedSessions<From>; readonly faults: readonly StoreFault[] } {
  const store = params.get("store")
  const faults: StoreFault[] = []
  const sources = sessions.sources.filter((source) => store === null || nameOf(source) === store)
  const fail = (source: From, code: string): void => {
    if (!faults.some((fault) => fault.store === nameOf(source))) faults.push({ store: nameOf(source), code })
  }
  for (const [source, code] of updates.faults) if (sources.includes(source)) fail(source, code)
  // Messages name places of this machine, which are not for those who ask.
  const onError = (source: From, { code }: TreelogError): void => fail(source, code)
  return { sessions: sessions.only(sources, onError), faults }
}
