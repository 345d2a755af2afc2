import { FILTER_NAMES } from "@treelog/session-core/search"
import { cleanLine, costNotes } from "@treelog-internal/text"
import { readOnlyManager } from "../blobs/session-blobs.js"
import { EXIT, type ExitCode } from "../errors/exit-codes.js"
import type { CommandContext } from "../io/command-context.js"
import { startPaging } from "../pager/start-paging.js"
import {
  diskFacts,
  fileLines,
  messageFacts,
  modelTable,
  projectTable,
  storeDiskFacts,
  storeTable,
} from "../render/stats-lines.js"
import { factLines } from "../render/table.js"
import { findToRead } from "../sessions/find-session.js"
import { type CommandSource, openLibrary } from "../sessions/open-library.js"
import { openFound } from "../sessions/open-to-read-or-write.js"
import { failureLine } from "../sessions/stored-keys.js"
import { openPrices } from "../stats/prices.js"
import { partEntries, statsDocument, statsOfSession } from "../stats/session-stats.js"
import { diskOfStores } from "../stats/store-disk.js"
import type { StatsOptions } from "./stats/stats-options.js"

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
  const { by, since, until, csv, allStores, disk, files } = options
  if (by === "tool") {
    const { printContextUse } = await import("./stats/context-use.js")
    return printContextUse(context, ref, options)
  }
  const filters = FILTER_NAMES.map((name) => options[name])
  const isSum = [by, since, until, csv, allStores, ...filters].some((option) => option !== undefined)
  if (!isSum && (ref !== undefined || files)) return statsOfOne(context, ref, options)
  if (!isSum && disk) return printDisk(context, (await openLibrary(context)).sources)
  const { printUsage } = await import("./stats/usage.js")
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
