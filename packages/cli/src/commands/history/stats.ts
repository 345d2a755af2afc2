import type { PromptStats } from "@treelog/session-core/prompt-history"
import { numberText, sizeText, timeAt } from "@treelog-internal/text"
import { EXIT, type ExitCode } from "../../errors/exit-codes.js"
import type { CommandContext } from "../../io/command-context.js"
import { type HistoryOptions, noHistory, openHistories } from "../../prompts/open-history.js"
import { type Fact, factLines } from "../../render/table.js"

export async function historyStats(context: CommandContext, options: HistoryOptions): Promise<ExitCode> {
  const histories = await openHistories(context, options)
  if (histories.length === 0) return noHistory(context, options)
  for (const [at, { path, history }] of histories.entries()) {
    const stats = await history.stats()
    const { oldest = null, newest = null, bytes = null } = stats
    const facts = factLines(promptStatsFacts(stats, path), context.style)
    if (context.options.json) await context.printJson({ path, ...stats, oldest, newest, bytes })
    else await context.print(at === 0 ? facts : ["", ...facts])
  }
  return EXIT.ok
}

/** What the history holds. */
function promptStatsFacts({ stored, folders, sessions, oldest, newest, bytes }: PromptStats, path: string): Fact[] {
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
