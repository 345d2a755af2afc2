import { numberText, plural } from "@treelog-internal/text"
import { EXIT, type ExitCode } from "../errors/exit-codes.js"
import type { CommandContext } from "../io/command-context.js"
import { Progress } from "../io/progress.js"
import { startPaging } from "../pager/start-paging.js"
import { diskFacts, fileLines, messageFacts, modelTable, projectTable, storeDiskFacts } from "../render/stats-lines.js"
import { factLines } from "../render/table.js"
import { commandSessions, type Sessions } from "../sessions/command-sessions.js"
import { oneSession } from "../sessions/one-or-all.js"
import { openForReading } from "../sessions/open-to-read-or-write.js"
import { failureLine } from "../sessions/stored-keys.js"
import { type Stats, statsOfSession, statsOfStore } from "../stats/session-stats.js"
import { diskOfStore } from "../stats/store-disk.js"
import type { StatsOptions } from "./stats/stats-options.js"

/**
 * Counts one session, or with `--all` and no session every one together; with `--disk` and no session, the disk space of the store;
 * with `--by`, `--since` or `--until` only tokens and cost.
 */
export async function stats(
  context: CommandContext,
  ref: string | undefined,
  options: StatsOptions,
): Promise<ExitCode> {
  startPaging(context)
  if ([options.by, options.since, options.until, options.allStores].some((option) => option !== undefined)) {
    const { printUsage } = await import("./stats/usage.js")
    return printUsage(context, ref, options)
  }
  if (ref !== undefined || !(options.disk || context.options.all)) return statsOfOne(context, ref, options)
  const sessions = await commandSessions(context)
  if (options.disk) return printDisk(context, sessions)
  const found = await statsOfStore(sessions, context, new Progress(context))
  await printStats(context, found, options, [["sessions", numberText(found.sessions)]])
  if (!context.options.json) await context.print(found.unreadable.map((one) => failureLine(one, context.style)))
  if (found.unreadable.length === 0) return EXIT.ok
  await context.log(`Not counted: ${plural(found.unreadable.length, "session")} that cannot be read.`)
  return EXIT.failed
}

/** Counts one session, in the store that has it. */
async function statsOfOne(asked: CommandContext, ref: string | undefined, options: StatsOptions): Promise<ExitCode> {
  const { context, sessions, key } = await oneSession(asked, ref)
  await printStats(context, await statsOfSession(sessions, await openForReading(context, key), key), options, [])
  return EXIT.ok
}

/** Disk space of the whole store, by project. */
async function printDisk(context: CommandContext, sessions: Sessions): Promise<ExitCode> {
  const { io, options, style } = context
  const disk = await diskOfStore(context, sessions)
  if (options.json) await context.printJson(disk)
  else {
    const projects = projectTable(disk.projects, { style, home: io.env.HOME })
    await context.print(projects.length > 0 ? [...projects, ""] : [])
    await context.print(factLines(storeDiskFacts(disk), style))
    await context.print(disk.unreadable.map((one) => failureLine(one, style)))
  }
  return disk.unreadable.length === 0 ? EXIT.ok : EXIT.failed
}

async function printStats(
  context: CommandContext,
  found: Stats,
  { disk = false, files = false }: StatsOptions,
  more: readonly (readonly [string, string])[],
): Promise<void> {
  const { style } = context
  if (context.options.json) {
    await context.printJson(found)
    return
  }
  await context.print(factLines([...more, ...(disk ? [] : messageFacts(found)), ...diskFacts(found)], style))
  if (disk) return
  const models = modelTable(found.models, style)
  if (models.length > 0) await context.print(["", ...models])
  if (files) await context.print(fileLines(found, style))
}
