import type { SessionInfo } from "@treelog/session-core"
import { jsonText } from "@treelog/session-core/json"
import { FILTER_NAMES, type FilterValues, filterValues, type PriceUsage } from "@treelog/session-core/search"
import { agentOfProgram, isKeptStore, type ListedSession, type LiveState } from "@treelog/stores"
import { cleanJson, plural } from "@treelog-internal/text"
import { type CommandDefinition, positiveInteger, SINCE_SESSION, UNTIL_SESSION } from "../define/command.js"
import { FILTER_OPTIONS } from "../define/filter-options.js"
import { EXIT, type ExitCode } from "../errors/exit-codes.js"
import { type CommandContext, Progress } from "../io/command-context.js"
import { startPaging } from "../io/start-paging.js"
import { byFolder, dayLines, groupLines } from "../render/session-groups.js"
import {
  agentText,
  type ColumnsOf,
  liveColumn,
  SHORT_TITLE,
  sessionColumns,
  sessionDocument,
} from "../render/session-table.js"
import { shortSessionIds } from "../render/short-ids.js"
import { type Column, Table } from "../render/table.js"
import {
  type CommandSource,
  folderOf,
  onlyOwnStore,
  openLibrary,
  placesOf,
  scopeOfReading,
} from "../sessions/open-library.js"
import { ListedPrices } from "../sessions/prices.js"
import { type TimeOptions, type Times, timesOf } from "../sessions/time-options.js"
import { isStoreNamed, storeSource } from "../store/chosen-store.js"
import { cwdIn, projectGroups } from "../store/scope.js"
import { logUnread } from "../store/unread-files.js"

export const command: CommandDefinition = {
  job: "find",
  bundledWith: [],
  summary: "list sessions, newest first",
  description: "List the sessions of a folder, newest first.",
  examples: [
    ["treelog list", "the sessions of this folder"],
    ["treelog list --all --limit 20", "the newest 20 of all folders"],
    ["treelog list --group", "the sessions of every folder, by folder"],
    ["treelog list --store omp --all", "the sessions of oh-my-pi"],
    ["treelog list --store all --since 7d", "the last week of all programs"],
    ["treelog list --live --all", "which work, and which wait for you"],
    ["treelog list --json | jq -r .path", "the paths of their files"],
  ],
  options: [
    ...FILTER_OPTIONS,
    ["-n, --limit <count>", "print at most this many", { parse: positiveInteger }],
    ["--since <time>", SINCE_SESSION],
    ["--until <time>", UNTIL_SESSION],
    ["--group", "sessions of every folder, grouped by folder"],
    ["--live", "what each does: of the last day, or that a process has"],
  ],
  run: list,
}

/** By the time of the last message. */
interface ListOptions extends TimeOptions, FilterValues {
  readonly limit?: number
  readonly group?: boolean
  readonly live?: boolean
}

/** How many rows are printed together: a screen at first, then more. */
const FIRST_PAGE = 48
const PAGE = 256

type Listed = ListedSession<CommandSource> & { readonly live?: LiveState }

export async function list(given: CommandContext, options: ListOptions): Promise<ExitCode> {
  const { group = false } = options
  const asked = group ? given.with({ ...given.options, all: true }) : given
  startPaging(given)
  const { limit } = options
  const filters = { ...filterValues((name) => options[name]), ...timesOf(options, asked.io.now()) }
  const library = await openLibrary(asked)
  await logUnread(asked)
  const ids = new Set<string>()
  // What cannot be read may be of any folder: alone, it makes none that has sessions.
  const unreadable: Listed[] = []
  const listed = async (context: CommandContext, scope: string | undefined, isLast: boolean): Promise<boolean> => {
    const isStreamed = context.options.json === true && !group
    const progress = new Progress(context)
    const query = { scope, ...filters }
    const onMore = () => context.warnOfMore("sessions", limit ?? 0)
    const sessions: AsyncIterable<Listed> = options.live
      ? (await import("../sessions/live-sessions.js")).liveSessions(context, library, query, { limit, onMore })
      : library.list(query, {
          order: isStreamed ? "streamed" : "newest",
          limit,
          signal: context.io.interrupted,
          onMore,
          ...(!context.options.json && { onId: (id) => ids.add(id) }),
          ...(progress.isWanted && !context.options.json && { onProgress: showing(context, progress) }),
        })
    const shown = isLast ? sessions : behindReadable(sessions, unreadable)
    const pages = pagesOf(shown, isStreamed && library.sources.length > 1 ? 1 : FIRST_PAGE)
    if (context.options.json) return printDocuments(context, group ? foldersOf(context, pages) : pages)
    const columns = columnsOf(context, ids)
    return group ? printGroups(context, pages, columns) : printTable(context, pages, columns)
  }
  if (await listed(asked, folderOf(asked), false)) return EXIT.ok
  const isNarrowed = options.live || Object.values(filters).some((filter) => filter !== undefined)
  const { context, scope } = await scopeOfReading(asked, library, !isNarrowed && unreadable.length === 0)
  if ((context !== asked || unreadable.length > 0) && (await listed(context, scope, true))) return EXIT.ok
  return nothingListed(context, library.sources, filters, options.live)
}

function showing(context: CommandContext, progress: Progress): (scanned: number) => void {
  return (scanned) => {
    if (progress.isDue) context.hold(progress.show(`Scanned ${plural(scanned, "session")}`))
  }
}

async function printDocuments(context: CommandContext, pages: AsyncIterable<readonly Listed[]>): Promise<boolean> {
  const prices = new ListedPrices(context.io)
  let isAny = false
  for await (const page of pages) {
    isAny = true
    await prices.prepare(page)
    await context.print(page.map((session) => cleanJson(jsonText({ v: 1, ...documentOf(session, prices.price) }))))
  }
  return isAny
}

function documentOf({ source: { program: store }, copies, ...info }: Listed, price: PriceUsage): object {
  const agent = info.agent ?? (store && agentOfProgram(store))
  return {
    ...sessionDocument(info, price),
    agent,
    store,
    ...(copies.length > 0 && { copies: copies.map(({ source: { name }, path }) => ({ store: name, path })) }),
  }
}

/** The columns of sessions, of which the first are known, once the ids of all are. */
function columnsOf(context: CommandContext, ids: ReadonlySet<string>): ColumnsOf<Listed> {
  return (shown, withCwd, price) => {
    const isLive = shown.some(({ live }) => live)
    const short = shortSessionIds(isLive ? new Set(shown.map(({ id }) => id)) : ids)
    const shortId = (id: string): string => short.of(id)
    const look = { ...context.look, shortId, withCwd, price }
    const [id, ...others] = sessionColumns(look)
    const agent: Column<Listed> = { title: "AGENT", cell: agentOf, omit: 0, beside: SHORT_TITLE }
    const [first] = shown
    const isMixed = shown.some((one) => one.copies.length > 0 || agentOf(one) !== agentOf(first as Listed))
    const columns = [...(id ? [id] : []), ...(isMixed ? [agent] : []), ...others.map(withKept)]
    return isLive ? columns.map((column) => (column.title === "STATUS" ? liveColumn(look) : column)) : columns
  }
}

/** Its status says of a session that only a copy has so, and why. */
function withKept(column: Column<Listed>): Column<Listed> {
  if (column.title !== "STATUS") return column
  const cell = (session: Listed): string => {
    const { source, copies } = session
    const what = copies.some((copy) => !isKeptStore(copy.source.name)) ? "rewrote" : "deleted"
    const kept = isKeptStore(source.name) ? `kept: its agent ${what} it` : undefined
    return [kept, column.cell(session)].filter(Boolean).join(" ")
  }
  return { ...column, cell }
}

/** Page after page: neither the sessions nor their lines are held. @returns whether there is any */
async function printTable(
  context: CommandContext,
  pages: AsyncIterable<readonly Listed[]>,
  columns: ColumnsOf<Listed>,
): Promise<boolean> {
  const { io, options, style } = context
  const prices = new ListedPrices(io)
  let table: Table<Listed> | undefined
  const withDays = dayLines(style)
  for await (const page of pages) {
    await prices.prepare(page)
    if (!table) {
      const withCwd = options.all === true || page.some(({ cwd }) => cwd !== page[0]?.cwd)
      table = new Table(columns(page, withCwd, prices.price), style)
    }
    await context.print(withDays(table.lines(page), page))
  }
  return table !== undefined
}

/** The agent that made it; of one with copies, where the newest is, and the others. */
function agentOf({ source, copies, agent = source.program ?? source.madeBy }: Listed): string {
  return agentText(
    copies.length > 0 ? source.name : agent,
    copies.map((copy) => copy.source.name),
  )
}

/** Holds what cannot be read back until there is a session that can be. */
async function* behindReadable(sessions: AsyncIterable<Listed>, held: Listed[]): AsyncGenerator<Listed> {
  let isAny = false
  for await (const session of sessions) {
    if (!isAny && session.error) {
      held.push(session)
      continue
    }
    if (!isAny) yield* held
    isAny = true
    yield session
  }
}

async function* pagesOf(sessions: AsyncIterable<Listed>, first: number): AsyncGenerator<readonly Listed[]> {
  let page: Listed[] = []
  let most = first
  for await (const one of sessions) {
    page.push(one)
    if (page.length < most) continue
    yield page
    page = []
    most = first === 1 ? 1 : PAGE
  }
  if (page.length > 0) yield page
}

/** A store in which nothing was found. */
interface LookedIn {
  /** Whose store it is. */
  readonly program: string | undefined
  readonly address: string
}

/** Says on stderr that there is no session to list, where they were looked for, and where else there may be some. */
async function nothingListed(
  context: CommandContext,
  stores: readonly LookedIn[],
  { since, until, ...filters }: Times & FilterValues = {},
  isLive = false,
): Promise<ExitCode> {
  const { all, agentDir, sessionDir } = context.options
  const named =
    agentDir !== undefined ? "--agent-dir" : sessionDir !== undefined ? "--session-dir" : storeSource(context)
  const hints = [
    all ? "" : "--all looks in every folder",
    onlyOwnStore(context, stores),
    isStoreNamed(context) ? `without ${named}, those of all agents are listed` : "",
  ].filter(Boolean)
  const isTimed = since !== undefined || until !== undefined
  const lately = isLive ? " that a process has, or that was written to in the last day," : ""
  const when = isTimed ? " of that time" : lately
  const given = FILTER_NAMES.flatMap((name) =>
    filters[name] === undefined ? [] : `${name} ${JSON.stringify(filters[name])}`,
  )
  const whose = given.length === 0 ? "" : ` with the ${given.join(" and the ")}`
  const scope = all ? "" : ` of ${cwdIn(context)}`
  const where = stores.length === 0 ? ": no agent has a store on this machine" : ` in ${placesOf(stores)}`
  const sentence = `${[`There is no session${whose}${when}${scope}${where}`, ...(stores.length === 0 ? [] : hints)].join("; ")}.`
  const data = { stores: stores.map(({ address }) => address), ...(!all && { cwd: cwdIn(context) }) }
  context.warn({ code: "NothingExamined", data }, sentence)
  return EXIT.nothing
}

/** Sessions by project, as pages. */
async function* foldersOf<Info extends SessionInfo>(
  context: CommandContext,
  pages: AsyncIterable<readonly Info[]>,
): AsyncGenerator<readonly Info[]> {
  yield* (await groupsOf(context, pages)).values()
}

async function groupsOf<Info extends SessionInfo>(
  context: CommandContext,
  pages: AsyncIterable<readonly Info[]>,
): Promise<Map<string, Info[]>> {
  const all: Info[] = []
  for await (const page of pages) all.push(...page)
  return byFolder(all, projectGroups(context))
}

/** Prints sessions under the folders that they belong to. @returns whether there is any */
async function printGroups<Info extends SessionInfo>(
  context: CommandContext,
  pages: AsyncIterable<readonly Info[]>,
  columns: ColumnsOf<Info>,
): Promise<boolean> {
  const groups = await groupsOf(context, pages)
  if (groups.size === 0) return false
  const prices = new ListedPrices(context.io)
  const shown = [...groups.values()].flat()
  await prices.prepare(shown)
  await context.print(groupLines(groups, columns(shown, false, prices.price), context.look))
  return true
}
