import type { PromptStats } from "@treelog/session-core/prompt-history"
import { numberText, sizeText, timeAt } from "@treelog-internal/text"
import { EXIT, type ExitCode } from "../../errors/exit-codes.js"
import type { CommandContext } from "../../io/command-context.js"
import { type HistoryOptions, historyPath, missingHistory, readHistory } from "../../prompts/open-history.js"
import { type Fact, factLines } from "../../render/table.js"
import { commandSessions } from "../../sessions/command-sessions.js"

export async function historyStats(context: CommandContext, options: HistoryOptions): Promise<ExitCode> {
  const sessions = await commandSessions(context)
  const path = historyPath(context, sessions, options)
  const stats = await readHistory(context, sessions, options, (history) => history.stats())
  const { oldest = null, newest = null, bytes = null } = stats
  if (context.options.json) await context.printJson({ path, ...stats, oldest, newest, bytes })
  else await context.print(factLines(promptStatsFacts(stats, path), context.style))
  const missing = missingHistory(context, sessions, options)
  if (missing !== undefined) await context.log(missing)
  return EXIT.ok
}

/** What the history holds. */
export function promptStatsFacts(
  { stored, folders, sessions, oldest, newest, bytes }: PromptStats,
  path: string,
): Fact[] {
  const time = (at: number | undefined): string => (at === undefined ? "-" : timeAt(at))
  return [
    ["prompts", numberText(stored)],
    ["folders", numberText(folders)],
    ["sessions", numberText(sessions)],
    ["oldest", time(oldest)],
    ["newest", time(newest)],
    ["size", bytes === undefined ? "-" : sizeText(bytes)],
    ["file", path],
  ]
}
