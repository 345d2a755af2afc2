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
import { everyStore, type StoreSessions } from "../sessions/every-store.js"
import { inEveryFolder } from "../sessions/in-every-folder.js"
import { inStoreOf } from "../sessions/in-store-of.js"
import { oneSession } from "../sessions/one-or-all.js"
import { openForReading } from "../sessions/open-to-read-or-write.js"
import { failureLine } from "../sessions/stored-keys.js"
import { openPrices } from "../stats/prices.js"
import { partEntries, statsDocument, statsOfSession } from "../stats/session-stats.js"
import { diskOfStores } from "../stats/store-disk.js"
import type { StatsOptions } from "./stats/stats-options.js"

/**
 * Tokens and cost of all sessions; with a session, what it amounts to; with `--disk` and no session, the disk space of all stores; with
 * `--by tool`, what fills the context of a session.
 */
export async function stats(given: CommandContext, ref: string | undefined, options: StatsOptions): Promise<ExitCode> {
  startPaging(given)
  return inEveryFolder(given, ref, (context) => statsOf(context, ref, options))
}

async function statsOf(context: CommandContext, ref: string | undefined, options: StatsOptions): Promise<ExitCode> {
  const { by, since, until, agent, csv, allStores, disk, files } = options
  if (by === "tool") {
    const found = await inStoreOf(context, ref)
    const { printContextUse } = await import("./stats/context-use.js")
    return printContextUse(found.context, found.ref, options)
  }
  const isSum = [by, since, until, agent, csv, allStores].some((option) => option !== undefined)
  if (!isSum && (ref !== undefined || files)) return statsOfOne(context, ref, options)
  if (!isSum && disk) return printDisk(context, await everyStore(context))
  const { printUsage } = await import("./stats/usage.js")
  const found = ref === undefined || allStores ? { context, ref } : await inStoreOf(context, ref)
  return printUsage(found.context, found.ref, options)
}

/** Counts one session, in the store that has it. */
async function statsOfOne(
  asked: CommandContext,
  ref: string | undefined,
  { disk = false, files = false }: StatsOptions,
): Promise<ExitCode> {
  const { context, sessions, key } = await oneSession(asked, ref)
  const prices = await openPrices(context.io)
  const parts = await partEntries(await readOnlyManager(sessions, key), key, (reason) =>
    context.log(`Not counted: ${cleanLine(reason)}`),
  )
  const found = await statsOfSession(sessions, await openForReading(context, key), key, { prices, parts })
  const { style } = context
  if (context.options.json) {
    await context.printJson(statsDocument(found, prices))
    return EXIT.ok
  }
  await context.print(factLines([...(disk ? [] : messageFacts(found)), ...diskFacts(found)], style))
  if (disk) return EXIT.ok
  const models = modelTable(found.usage.models, style)
  if (models.length > 0) await context.print(["", ...models])
  const notes = costNotes(found.usage.total.cost, prices.date)
  if (notes.length > 0) await context.print(["", ...notes.map((note) => style.paint("dim", note))])
  if (files) await context.print(fileLines(found, style))
  return EXIT.ok
}

/** Disk space of whole stores, by agent and by project. */
async function printDisk(context: CommandContext, stores: readonly StoreSessions[]): Promise<ExitCode> {
  const { io, options, style } = context
  const disk = await diskOfStores(stores)
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
