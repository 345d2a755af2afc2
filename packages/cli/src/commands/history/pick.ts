import type { ExitCode } from "../../errors/exit-codes.js"
import type { CommandContext } from "../../io/command-context.js"
import { type HistoryOptions, noHistory, openHistories } from "../../prompts/open-history.js"
import { type ScopeOptions, scopeName } from "../../prompts/prompt-scope.js"
import { everyStore } from "../../sessions/every-store.js"
import { quietContext, requireTerminal } from "../../tui/frame/start-picker.js"
import { find } from "../find/find.js"

interface PickOptions extends HistoryOptions, ScopeOptions {
  /** What is looked for at first. */
  readonly query?: string
}

const COMMAND = {
  command: "treelog history",
  alternatives: "use `treelog history search QUERY` or `treelog history recent` instead",
} as const

/** Lets the user find a prompt, and prints it. Leaving without one is an interruption. */
export async function pickPrompt(context: CommandContext, options: PickOptions): Promise<ExitCode> {
  const { query = "", session, db } = options
  requireTerminal(context, COMMAND.command, COMMAND.alternatives)
  const scope = scopeName(options, context.options.cwd)
  if ((await openHistories(context, options)).length === 0) return noHistory(context, options)
  const stores = await everyStore(quietContext(context))
  return find(
    context,
    stores,
    { ...COMMAND, view: "prompts", query, scope: scope === "all" ? "all" : "project" },
    {
      ...(db !== undefined && { db }),
      promptScope: { ...(scope !== "all" && { scope }), ...(session !== undefined && { session }) },
    },
  )
}
