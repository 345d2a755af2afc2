import { cleanTabbed } from "@treelog-internal/text"
import { EXIT, type ExitCode } from "../../errors/exit-codes.js"
import type { CommandContext } from "../../io/command-context.js"
import { type HistoryOptions, missingHistory, readHistory } from "../../prompts/open-history.js"
import { promptScope, type ScopeOptions, scopeName } from "../../prompts/prompt-scope.js"
import { commandSessions } from "../../sessions/command-sessions.js"
import { pickerDisplay, requireTerminal, startPicker } from "../../tui/frame/start-picker.js"
import { promptFinder } from "../../tui/prompts/prompt-finder.js"
import { PromptPicker } from "../../tui/prompts/prompt-picker.js"
import { FIRST_LIMIT } from "../../tui/prompts/prompt-state.js"

export interface PickOptions extends HistoryOptions, ScopeOptions {
  /** What is looked for at first. */
  readonly query?: string
}

const ALTERNATIVES = "use `treelog history search QUERY` or `treelog history recent` instead"

/**
 * Lets the user find a prompt, and prints it. Leaving without one is an interruption. Where there is no database, it is
 * opened anyway, which reports a missing SQLite.
 */
export async function pickPrompt(context: CommandContext, options: PickOptions): Promise<ExitCode> {
  const { io, options: global } = context
  const terminal = requireTerminal(context, "treelog history", ALTERNATIVES)
  const { query = "", session } = options
  const scope = scopeName(options, global.cwd)
  const sessions = await commandSessions(context)
  const missing = missingHistory(context, sessions, options)
  const prompt = await readHistory(context, sessions, options, async (history) => {
    const find = promptFinder(history, (name) => promptScope(sessions, name, session))
    const answer = await find({ query, scope, limit: FIRST_LIMIT })
    if (missing !== undefined) return undefined
    const look = pickerDisplay(context)
    return startPicker(new PromptPicker(answer, find, look), terminal, look, io.interrupted)
  })
  if (missing !== undefined) {
    await context.log(missing)
    return EXIT.notFound
  }
  if (!prompt) return EXIT.interrupted
  if (global.json) await context.printJson(prompt)
  else await context.print([cleanTabbed(prompt.text)])
  return EXIT.ok
}
