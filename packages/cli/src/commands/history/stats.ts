import { EXIT, type ExitCode } from "../../errors/exit-codes.js"
import type { CommandContext } from "../../io/command-context.js"
import { type HistoryOptions, historyPath, missingHistory, readHistory } from "../../prompts/open-history.js"
import { factLines } from "../../render/fact-lines.js"
import { promptStatsFacts } from "../../render/prompt-stats-facts.js"
import { composeSessions } from "../../sessions/compose-sessions.js"

export async function historyStats(context: CommandContext, options: HistoryOptions): Promise<ExitCode> {
  const sessions = composeSessions(context)
  const path = historyPath(context, sessions, options)
  const stats = await readHistory(context, sessions, options, (history) => history.stats())
  const { oldest = null, newest = null, bytes = null } = stats
  if (context.options.json) await context.printJson({ path, ...stats, oldest, newest, bytes })
  else await context.print(factLines(promptStatsFacts(stats, path), context.style))
  const missing = missingHistory(context, sessions, options)
  if (missing !== undefined) await context.log(missing)
  return EXIT.ok
}
