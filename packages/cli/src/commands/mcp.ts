import { serveOverStdio } from "@treelog/mcp"
import { version } from "../../package.json"
import type { CommandDefinition } from "../define/command.js"
import { EXIT, type ExitCode } from "../errors/exit-codes.js"
import type { CommandContext } from "../io/command-context.js"
import { openScoped } from "../sessions/open-library.js"
import { openPrices } from "../sessions/prices.js"
import { projectGroups } from "../store/scope.js"

export const command: CommandDefinition = {
  job: "in scripts",
  summary: "let an agent search past sessions, over MCP",
  description:
    "Let an agent search and read the sessions of this folder, or with --all of every folder, over the Model Context Protocol on stdin and stdout. Only reads.",
  examples: [
    ["treelog mcp", "the sessions of this folder"],
    ["claude mcp add treelog -- treelog mcp", "configure Claude Code"],
    ["treelog mcp --store pi --all", "all sessions of pi"],
  ],
  run: mcp,
}

/** Serves one agent over stdin and stdout, until it closes them: the sessions of every store that is meant. Nothing else is printed on stdout. */
async function mcp(context: CommandContext): Promise<ExitCode> {
  const { library: sessions, scope: cwd } = await openScoped(context)
  if (sessions.sources.length === 0) return EXIT.nothing
  const prices = await openPrices(context.io)
  const { interrupted, env, cwd: startedIn } = context.io
  const started = { cwd: startedIn, env }
  await serveOverStdio({ sessions, cwd, version, prices, projectOf: projectGroups(context), started }, interrupted)
  return context.io.interrupted.aborted ? EXIT.interrupted : EXIT.ok
}
