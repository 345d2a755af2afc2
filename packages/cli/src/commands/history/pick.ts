import type { CommandContext } from "../../command-context.js"
import { composeSessions } from "../../compose.js"
import { EXIT, type ExitCode } from "../../exit-codes.js"
import type { Terminal } from "../../io.js"
import { type HistoryOptions, withHistory } from "../../open-history.js"
import { promptScope, type ScopeOptions, scopeName } from "../../prompt-scope.js"
import { cleanTabbed } from "../../render/clean-text.js"
import { styleFor } from "../../render/style.js"
import { FIRST_LIMIT } from "../../tui/picker-state.js"
import { promptFinder } from "../../tui/prompt-finder.js"
import { UsageError } from "../../usage-error.js"

export interface PickOptions extends HistoryOptions, ScopeOptions {
  /** What is looked for at first. */
  readonly query?: string
}

/** Lets the user find a prompt, and prints it. Leaving without one is an interruption. */
export async function pickPrompt(context: CommandContext, options: PickOptions): Promise<ExitCode> {
  const { io, options: global } = context
  const terminal = terminalOf(context)
  const { query = "", session } = options
  const scope = scopeName(options, global.cwd)
  const sessions = composeSessions(context)
  const outcome = await withHistory(context, sessions, options, async (history) => {
    const find = promptFinder(history, (name) => promptScope(sessions, name, session))
    const [answer, { runPicker }] = await Promise.all([
      find({ query, scope, limit: FIRST_LIMIT }),
      import("../../tui/run-picker.js"),
    ])
    const look = { style: styleFor(io.stderr, io.env, global), now: io.now(), home: io.env.HOME }
    return runPicker({ terminal, answer, find, look, interrupted: io.interrupted })
  })
  if (outcome.kind === "left") return EXIT.interrupted
  if (global.json) await context.printJson(outcome.prompt)
  else await context.print([cleanTabbed(outcome.prompt.text)])
  return EXIT.ok
}

/** @throws UsageError where nobody sits in front of it */
function terminalOf({ io }: CommandContext): Terminal {
  const terminal = isInCi(io.env) || io.env.TERM === "dumb" ? undefined : io.terminal()
  if (terminal) return terminal
  const twins = "`treelog history search QUERY` and `treelog history recent` do without"
  throw new UsageError(`\`treelog history\` needs a terminal to show what it finds as you type; ${twins}.`)
}

/** ink goes by the same rule, and draws nothing there. */
function isInCi(env: CommandContext["io"]["env"]): boolean {
  return [env.CI, env.CONTINUOUS_INTEGRATION].some((value) => value !== undefined && value !== "0" && value !== "false")
}
