import { serveOverStdio } from "@treelog/mcp"
import { EXIT, type ExitCode } from "../errors/exit-codes.js"
import type { CommandContext } from "../io/command-context.js"
import { openScoped } from "../sessions/open-library.js"
import { projectGroups } from "../sessions/scope.js"
import { openPrices } from "../stats/prices.js"

/**
 * Serves one agent over stdin and stdout, until it closes them: the sessions of every store that is meant. Nothing else is printed on stdout.
 * @param version what the server reports
 */
export async function mcp(context: CommandContext, version: string): Promise<ExitCode> {
  const { library: sessions, scope: cwd } = await openScoped(context)
  if (sessions.sources.length === 0) return EXIT.nothing
  const prices = await openPrices(context.io)
  await serveOverStdio({ sessions, cwd, version, prices, projectOf: projectGroups(context) }, context.io.interrupted)
  return context.io.interrupted.aborted ? EXIT.interrupted : EXIT.ok
}
