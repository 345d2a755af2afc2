import { FILTER_NAMES } from "@treelog/session-core/search"
import { cleanLine, costNotes } from "@treelog-internal/text"
import type { CommandDefinition } from "../define/command.js"
import { FILTER_OPTIONS } from "../define/filter-options.js"
import { SESSION, SINCE, UNTIL } from "../define/shared-options.js"
import { EXIT, type ExitCode } from "../errors/exit-codes.js"
import type { CommandContext } from "../io/command-context.js"
import { startPaging } from "../io/start-paging.js"
import { factLines } from "../render/table.js"
import { findToRead } from "../sessions/find-session.js"
import { type CommandSource, openLibrary } from "../sessions/open-library.js"
import { openFound } from "../sessions/open-to-read-or-write.js"
import { openPrices } from "../sessions/prices.js"
import { readOnlyManager } from "../store/session-blobs.js"
import { failureLine } from "../store/stored-keys.js"
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
import { STATS_BY, type StatsOptions } from "./stats/stats-options.js"
import { diskOfStores } from "./stats/store-disk.js"
import { printUsage } from "./stats/usage.js"

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
  const { sessions } = found.source
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
  const { io, options, style } = context
  const disk = await diskOfStores(context, stores)
  if (options.json) await context.printJson(disk)
  else {
    if (disk.stores) await context.print([...storeTable(disk.stores, style), ""])
    const projects = projectTable(disk.projects, { style, home: io.env.HOME })
    await context.print(projects.length > 0 ? [...projects, ""] : [])
    await context.print(factLines(storeDiskFacts(disk), style))
    await context.print(disk.unreadable.map((one) => failureLine(one, style)))
  }
  return disk.unreadable.length === 0 ? EXIT.ok : EXIT.failed
}
