import { serveOverStdio } from "@treelog/mcp"
import { EXIT, type ExitCode } from "../errors/exit-codes.js"
import type { CommandContext } from "../io/command-context.js"
import { openIndex } from "../search/open-index.js"
import { commandSessions } from "../sessions/command-sessions.js"

/** Serves one agent over stdin and stdout, until it closes them. Nothing else is printed on stdout. @param version what the server reports */
export async function mcp(context: CommandContext, version: string): Promise<ExitCode> {
  const sessions = await commandSessions(context)
  const { manager, scope } = sessions
  const options = { sessions: manager, index: openIndex(context, sessions), cwd: scope.cwd, version }
  await serveOverStdio(options, context.io.interrupted)
  return context.io.interrupted.aborted ? EXIT.interrupted : EXIT.ok
}
