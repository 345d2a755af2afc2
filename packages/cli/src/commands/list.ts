import type { SessionInfo, SessionStorage } from "@treelog/session-core"
import { listSessions } from "@treelog/session-core/adapter"
import type { PriceUsage } from "@treelog/session-core/search"
import { cleanJson, plural } from "@treelog-internal/text"
import { EXIT, type ExitCode } from "../errors/exit-codes.js"
import type { CommandContext } from "../io/command-context.js"
import { Progress } from "../io/progress.js"
import { startPaging } from "../pager/start-paging.js"
import { warnOfMore } from "../render/more.js"
import { DayLines } from "../render/session-groups.js"
import { sessionColumns, sessionDocument } from "../render/session-table.js"
import { type ShortIds, StoredIds } from "../render/short-ids.js"
import { Table } from "../render/table.js"
import { chosenStore } from "../sessions/chosen-store.js"
import { everyFolder } from "../sessions/every-store.js"
import { agentOfStore, isOfAgent } from "../sessions/of-agent.js"
import { openNamedStore } from "../sessions/open-named-store.js"
import { meantStores } from "../sessions/program-stores.js"
import { projectsOf, type Scope, scopeOf } from "../sessions/scope.js"
import { isWithin, type TimeOptions, type Times, timesOf } from "../sessions/time-options.js"
import { logUnread } from "../sessions/unread-files.js"
import { ListedPrices } from "../stats/prices.js"

/** By the time of the last message. */
interface ListOptions extends TimeOptions {
  readonly limit?: number
  readonly allStores?: boolean
  /** Only sessions of this agent. */
  readonly agent?: string
  /** Sessions of every folder, under the folder that each belongs to. */
  readonly group?: boolean
}

/** How many rows are printed together: a screen at first, then more. */
const FIRST_PAGE = 48
const PAGE = 256

export async function list(given: CommandContext, options: ListOptions): Promise<ExitCode> {
  const groups = options.group ? await import("./list/print-groups.js") : undefined
  const context = groups?.ofEveryFolder(given) ?? given
  startPaging(given)
  const times = timesOf(options, context.io.now())
  const stores = await meantStores(context, options.allStores)
  await logUnread(context)
  const [only, ...others] = stores
  if (only && others.length === 0) return listStore(only.context, times, options, groups)
  const { listStores } = await import("./list/all-stores.js")
  const { limit, agent } = options
  return listStores(context, stores, { times, limit, agent, isGrouped: groups !== undefined })
}

async function listStore(
  context: CommandContext,
  times: Times,
  { limit, agent }: Pick<ListOptions, "limit" | "agent">,
  groups: typeof import("./list/print-groups.js") | undefined,
): Promise<ExitCode> {
  const store = await openNamedStore(context, chosenStore(context).name)
  const ofStore = agentOfStore(context, store)
  const listed = { storage: store.storage, scope: scopeOf(context, projectsOf(context, store)), times, agent, ofStore }
  const ids = new StoredIds()
  const pages = newestFirst(context, listed, ids, limit)
  let isAny = false
  if (context.options.json) {
    const prices = new ListedPrices(context.io)
    for await (const page of groups?.foldersOf(context, pages) ?? pages) {
      isAny ||= page.length > 0
      await prices.prepare(page)
      await context.print(page.map((info) => jsonLine(info, prices.price)))
    }
  } else if (groups)
    isAny = await groups.printGroups(context, pages, async () => {
      const short = await ids.short(listed.storage)
      return (id) => short.of(id)
    })
  else isAny = await printTable(context, listed, ids, pages)
  if (isAny) return EXIT.ok
  const wide = await everyFolder(context, [listed])
  if (wide)
    return listStore(
      wide,
      times,
      { ...(limit !== undefined && { limit }), ...(agent !== undefined && { agent }) },
      groups,
    )
  return nothingListed(context, [{ program: undefined, address: store.address }], times)
}

/** Says where there was nothing to list. */
async function nothingListed(
  ...args: Parameters<typeof import("./list/nothing-listed.js").nothingListed>
): Promise<ExitCode> {
  const { nothingListed } = await import("./list/nothing-listed.js")
  return nothingListed(...args)
}

/** What is listed. */
interface Listed {
  readonly storage: SessionStorage
  readonly scope: Scope
  readonly times: Times
  /** Only sessions of this agent. */
  readonly agent: string | undefined
  /** The agent of those whose headers name none. */
  readonly ofStore: string
}

function jsonLine(info: SessionInfo, price: PriceUsage): string {
  return cleanJson(JSON.stringify({ v: 1, ...sessionDocument(info, price) }))
}

/** Page after page: neither the sessions nor their lines are held. @returns whether there is any */
async function printTable(
  context: CommandContext,
  { storage, ofStore }: Listed,
  seen: StoredIds,
  pages: AsyncIterable<readonly SessionInfo[]>,
): Promise<boolean> {
  const { io, options, style } = context
  const prices = new ListedPrices(io)
  let printed: { readonly table: Table<SessionInfo>; readonly ids: ShortIds } | undefined
  const days = new DayLines(style)
  for await (const page of pages) {
    await prices.prepare(page)
    if (!printed) {
      // What is shown of an id must fit no other session of the store.
      if (!options.all) await seen.seeAll(storage)
      const ids = await seen.short(storage)
      const columns = sessionColumns({
        style,
        now: io.now(),
        shortId: (id) => ids.of(id),
        withCwd: options.all === true || page.some(({ cwd }) => cwd !== page[0]?.cwd),
        home: io.env.HOME,
        price: prices.price,
      })
      const [id, ...others] = columns
      const agents = { title: "AGENT", cell: ({ agent = ofStore }: SessionInfo) => agent }
      const isMixed = page.some(({ agent = ofStore }) => agent !== ofStore)
      printed = { table: new Table(id && isMixed ? [id, agents, ...others] : columns, style), ids }
    }
    printed.ids.add(page.map(({ id }) => id))
    await context.print(days.of(printed.table.lines(page), page))
  }
  return printed !== undefined
}

async function* newestFirst(
  context: CommandContext,
  { storage, scope: { cwd, projectOf }, times, agent, ofStore }: Listed,
  ids: StoredIds,
  limit: number | undefined,
): AsyncGenerator<readonly SessionInfo[]> {
  const { io, options } = context
  const progress = new Progress(context)
  const showProgress = (scanned: number): void => {
    if (progress.isDue) context.hold(progress.show(`Scanned ${plural(scanned, "session")}`))
  }
  // What a limit of time, or an agent, excludes does not count.
  const isTimed = times.since !== undefined || times.until !== undefined || agent !== undefined
  const isOf = isOfAgent(agent, ofStore)
  let left = limit ?? Number.POSITIVE_INFINITY
  const settings = {
    order: options.json ? ("streamed" as const) : ("newest" as const),
    projectOf,
    ...(limit !== undefined && !isTimed && { limit: limit + 1 }),
    signal: io.interrupted,
    ...(options.all && { onScanned: (session: { readonly id: string }) => ids.see(session) }),
    ...(progress.isWanted && !options.json && { onProgress: showProgress }),
  }
  let page: SessionInfo[] = []
  let most = FIRST_PAGE
  for await (const info of listSessions(storage, cwd, settings)) {
    if (!isWithin(times, info.modified) || !isOf(info)) continue
    if (left-- === 0) {
      warnOfMore(context, "sessions", limit ?? 0)
      break
    }
    page.push(info)
    if (page.length < most) continue
    await progress.clear()
    yield page
    page = []
    most = PAGE
  }
  await progress.clear()
  if (page.length > 0) yield page
}
