import { FILTER_NAMES, filterValues } from "@treelog/session-core/search"
import { type AgentStorage, type LibraryUsage, programOf } from "@treelog/stores"
import { cleanLine, costNotes, plural } from "@treelog-internal/text"
import { type CommandDefinition, SESSION, SINCE, UNTIL } from "../define/command.js"
import { FILTER_OPTIONS } from "../define/filter-options.js"
import { EXIT, type ExitCode, UsageError } from "../errors/exit-codes.js"
import type { CommandContext } from "../io/command-context.js"
import { startPaging } from "../io/start-paging.js"
import { shortSessionIds } from "../render/short-ids.js"
import { factLines } from "../render/table.js"
import { refreshIndex } from "../search/refresh-index.js"
import { type FoundSession, findToRead, idOfSession, logNewest } from "../sessions/find-session.js"
import { type CommandSource, folderOf, nothingExamined, openLibrary } from "../sessions/open-library.js"
import { openFound } from "../sessions/open-to-read-or-write.js"
import { openPrices } from "../sessions/prices.js"
import { type Times, timesOf } from "../sessions/time-options.js"
import { newestKinds, uncountedSentence } from "../store/agent-kinds.js"
import { readOnlyManager } from "../store/command-sessions.js"
import { projectGroups } from "../store/scope.js"
import { failureLine } from "../store/stored-keys.js"
import { logUnread } from "../store/unread-files.js"
import { printContextUse } from "./stats/context-use.js"
import { partEntries, statsDocument, statsOfSession } from "./stats/session-stats.js"
import {
  diskFacts,
  fileLines,
  messageFacts,
  modelTable,
  projectTable,
  storeDiskFacts,
  storeTable,
} from "./stats/stats-lines.js"
import { STATS_BY, type StatsOptions, type UsageBy } from "./stats/stats-options.js"
import { diskOfStores } from "./stats/store-disk.js"
import { type CollectedUsage, csvLines, usageDocument } from "./stats/usage-document.js"
import { MOST_SESSIONS, overviewLines, usageTable } from "./stats/usage-table.js"

export const command: CommandDefinition = {
  job: "count",
  bundledWith: ["sessions/open-index"],
  summary: "count messages, tokens, cost and bytes",
  description:
    "Sum tokens and cost of all sessions of the last 30 days; or count messages, usage, files and bytes of one session.",
  examples: [
    ["treelog stats", "what the last 30 days cost"],
    ["treelog stats --by project --since 7d", "by project, of a week"],
    ["treelog stats --by model --all --csv", "of all times, for a spreadsheet"],
    ["treelog stats @last", "count what a session has"],
    ["treelog stats @last --by tool", "what fills its context"],
    ["treelog stats --disk", "disk space by project"],
  ],
  arguments: [
    ["[session]", `${SESSION} (default: the sums of all agents, of the last 30 days; with --all of all times)`],
  ],
  options: [
    ...FILTER_OPTIONS,
    ["--files", "also list the files that were read and modified"],
    ["--disk", "only the disk space"],
    ["--by <what>", "one sum for each; `tool`: what fills the context of a session", { choices: STATS_BY }],
    ["--since <time>", `tokens and cost ${SINCE}`],
    ["--until <time>", UNTIL],
    ["--csv", "print the sums as CSV, by day or as --by says"],
  ],
  run: stats,
}

/**
 * Tokens and cost of all sessions; with a session, what it amounts to; with `--disk` and no session, the disk space of all stores; with
 * `--by tool`, what fills the context of a session.
 */
export async function stats(
  context: CommandContext,
  ref: string | undefined,
  options: StatsOptions,
): Promise<ExitCode> {
  startPaging(context)
  const { by, since, until, csv, disk, files } = options
  if (by === "tool") {
    return printContextUse(context, ref, options)
  }
  const filters = FILTER_NAMES.map((name) => options[name])
  const isSum = [by, since, until, csv, ...filters].some((option) => option !== undefined)
  if (!isSum && (ref !== undefined || files)) return statsOfOne(context, ref, options)
  if (!isSum && disk) return printDisk(context, (await openLibrary(context)).sources)
  return printUsage(context, ref, options)
}

/** Counts one session, in the store that has it. */
async function statsOfOne(
  context: CommandContext,
  ref: string | undefined,
  { disk = false, files = false }: StatsOptions,
): Promise<ExitCode> {
  const found = await findToRead(context, ref)
  const { key } = found
  await logNewest(context, ref, key)
  const { source: sessions } = found
  const prices = await openPrices(context.io)
  const parts = await partEntries(await readOnlyManager(sessions, key), key, (reason) =>
    context.log(`Not counted: ${cleanLine(reason)}`),
  )
  const sums = await statsOfSession(sessions, await openFound(context, found), key, { prices, parts })
  const { style } = context
  if (context.options.json) {
    await context.printJson(statsDocument(sums, prices))
    return EXIT.ok
  }
  await context.print(factLines([...(disk ? [] : messageFacts(sums)), ...diskFacts(sums)], style))
  if (disk) return EXIT.ok
  const models = modelTable(sums.usage.models, style)
  if (models.length > 0) await context.print(["", ...models])
  const notes = costNotes(sums.usage.total.cost, prices.date)
  if (notes.length > 0) await context.print(["", ...notes.map((note) => style.paint("dim", note))])
  if (files) await context.print(fileLines(sums, style))
  return EXIT.ok
}

/** Disk space of whole stores, by agent and by project. */
async function printDisk(context: CommandContext, stores: readonly CommandSource[]): Promise<ExitCode> {
  const { options, style } = context
  const disk = await diskOfStores(context, stores)
  if (options.json) await context.printJson(disk)
  else {
    if (disk.stores) await context.print([...storeTable(disk.stores, style), ""])
    const projects = projectTable(disk.projects, context.look)
    await context.print(projects.length > 0 ? [...projects, ""] : [])
    await context.print(factLines(storeDiskFacts(disk), style))
    await context.print(disk.unreadable.map((one) => failureLine(one, style)))
  }
  return disk.unreadable.length === 0 ? EXIT.ok : EXIT.failed
}

const OVERVIEW = ["day", "model", "project", "session"] as const

/** Sums tokens and cost: of all sessions, or of one; by something, or as an overview. Forks count what they copied once. */
async function printUsage(context: CommandContext, ref: string | undefined, options: StatsOptions): Promise<ExitCode> {
  if (options.disk || options.files)
    throw new UsageError("--disk and --files cannot be combined with --by, --since, --until or --csv.")
  if (options.csv && context.options.json) throw new UsageError("--csv and --json cannot be combined.")
  const by = options.by as UsageBy | undefined
  const kinds: readonly UsageBy[] = by !== undefined ? [by] : ref !== undefined || options.csv ? ["day"] : OVERVIEW
  const usage = await collectUsage(context, ref, kinds, options)
  if (ref === undefined) await logUnread(context)
  const isEverywhere = context.options.cwd === undefined
  const { library } = usage
  const scope = isEverywhere ? undefined : folderOf(context)
  if (ref === undefined && usage.total.totals.calls === 0 && !(await library.isAny({ scope })))
    return nothingExamined(context, library.sources, isEverywhere)
  if (context.options.json) await context.printJson(usageDocument(usage, kinds, by))
  else if (options.csv) await context.print(csvLines(usage.rows(kinds[0] ?? "day"), kinds[0] ?? "day"))
  else await printTables(context, usage, kinds, options)
  const isFiltered = ref !== undefined || !isEverywhere || Object.keys(filterValues((name) => options[name])).length > 0
  if (!isFiltered || usage.total.totals.calls === 0) await warnOfUncounted(context, usage)
  if (usage.unreadable.length > 0 && !context.options.json)
    await context.log(`Not counted: ${plural(usage.unreadable.length, "session")} that cannot be read.`)
  return usage.unreadable.length === 0 ? EXIT.ok : EXIT.failed
}

/** Without limits of time, and without a session: the last days. */
const LAST_DAYS = 30

/**
 * Sums tokens and cost of all sessions of all agents, of a folder or project where one is named, or of one session. Without limits of time
 * those of the last 30 days, with `--all` of all times. What several stores have counts once: for the agent that made it.
 */
async function collectUsage(
  context: CommandContext,
  ref: string | undefined,
  kinds: readonly UsageBy[],
  options: StatsOptions,
): Promise<CollectedUsage> {
  const { io } = context
  const times = limitsOf(context, ref, options)
  const prices = await openPrices(io)
  const all = await openLibrary(context)
  const found = ref === undefined ? undefined : await findToRead(context, ref, all)
  const library = found ? all.only([found.source]) : all
  const { failed, foreign } = await refreshIndex(context, library, "usage")
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

async function printTables(
  context: CommandContext,
  usage: CollectedUsage,
  kinds: readonly UsageBy[],
  options: StatsOptions,
): Promise<void> {
  const { io, style } = context
  const { total, parts, times, prices, unreadable, library } = usage
  const [by = "day"] = kinds
  const sessions =
    kinds.length > 1 ? usage.rows("session").slice(0, MOST_SESSIONS) : by === "session" ? usage.rows(by) : []
  const titles = new Map<string, string>()
  for (const { key, session, source } of sessions)
    if (session && source) titles.set(key, await library.titleOf({ session, source }, io.interrupted))
  const ids: string[] = []
  for (const { index, address } of sessions.length > 0 ? library.sources : [])
    ids.push(...(await (await index()).ids(address)))
  const short = shortSessionIds(ids)
  const look = { ...context.look, titles, shortId: (id: string) => short.of(id) }
  if (total.totals.calls === 0) await context.log(`No usage was reported${timeText(times, options)}.`)
  else if (kinds.length > 1) await context.print(overviewLines(usage, look))
  else await context.print(usageTable(usage.rows(by), { total, parts }, { by, ...look }))
  const notes = costNotes(total.cost, prices.date)
  if (notes.length > 0) await context.print(["", ...notes.map((note) => style.paint("dim", note))])
  await context.print(unreadable.map((one) => failureLine(one, style)))
}

/** How many of an agent's newest sessions are asked what of their records is not counted. */
const EXAMINED = 20

/** Names what has tokens in the sessions of agents of which no usage counts. */
async function warnOfUncounted(context: CommandContext, { library, times, rows }: CollectedUsage): Promise<void> {
  const counted = new Set(rows("agent").flatMap(({ key, totals }) => (totals.calls > 0 ? [key] : [])))
  for (const { name, agent, storage } of library.sources) {
    if (agent === undefined || counted.has(agent)) continue
    const { uncountedKinds: kinds } = await newestKinds(storage as AgentStorage, EXAMINED, times.since)
    const data = { store: name, kinds }
    if (kinds.length > 0) context.warn({ code: "UncountedUsage", data }, `${name}: ${uncountedSentence(kinds)}.`)
  }
}

/** For a sentence that there is nothing: the limits of time, also the default ones. */
function timeText({ since: from }: CollectedUsage["times"], { since, until }: StatsOptions): string {
  if (since !== undefined || until !== undefined) return " in that time"
  return from === undefined ? "" : ` in the last ${LAST_DAYS} days; --all counts all`
}
