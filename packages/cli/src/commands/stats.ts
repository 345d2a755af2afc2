import type { CommandContext } from "../command-context.js"
import { composeSessions } from "../compose.js"
import { EXIT, type ExitCode } from "../exit-codes.js"
import { existingKey, NEWEST, openForReading } from "../open-session.js"
import { factLines } from "../render/fact-lines.js"
import { diskFacts, sessionFacts } from "../render/stats-facts.js"
import { sessionStats } from "../session-stats.js"

export interface StatsOptions {
  /** Only what it takes on the disk. */
  readonly disk?: boolean
}

export async function stats(
  context: CommandContext,
  ref: string | undefined,
  { disk = false }: StatsOptions,
): Promise<ExitCode> {
  const sessions = composeSessions(context)
  const key = await existingKey(sessions, ref ?? NEWEST)
  const found = await sessionStats(sessions, await openForReading(context, key), key)
  if (context.options.json) await context.printJson(found)
  else await context.print(factLines([...(disk ? [] : sessionFacts(found)), ...diskFacts(found)], context.style))
  return EXIT.ok
}
