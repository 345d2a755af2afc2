import type { Prompt, PromptHistory, PromptSelection } from "@treelog/session-core"
import type { CommandContext } from "../../command-context.js"
import { composeSessions } from "../../compose.js"
import { EXIT, type ExitCode } from "../../exit-codes.js"
import { type HistoryOptions, withHistory } from "../../open-history.js"
import { promptScope } from "../../prompt-scope.js"
import { plural } from "../../render/plural.js"
import { promptTable } from "../../render/prompt-table.js"
import { UsageError } from "../../usage-error.js"

export interface DeleteOptions extends HistoryOptions {
  readonly query?: string
  /** A whole id, or `@last`, `@-2`. */
  readonly session?: string
  readonly yes?: boolean
}

/** Removes prompts for good; without `--yes`, shows which. */
export async function deletePrompts(
  context: CommandContext,
  id: number | undefined,
  options: DeleteOptions,
): Promise<ExitCode> {
  const sessions = composeSessions(context)
  const selection = await selectionOf(context, id, options)
  return withHistory(context, sessions, options, (history) =>
    options.yes ? remove(context, history, selection) : preview(context, history, selection),
  )
}

/** @throws UsageError where nothing is selected, or more than one thing at once */
async function selectionOf(
  context: CommandContext,
  id: number | undefined,
  { query, session }: DeleteOptions,
): Promise<PromptSelection> {
  const { cwd, all } = context.options
  if (session !== undefined && cwd !== undefined) throw new UsageError("Give --session or --cwd, not both.")
  if (id !== undefined) {
    if (query === undefined && session === undefined && cwd === undefined) return { id }
    throw new UsageError("Give an id, or --query, --session or --cwd.")
  }
  if (query === undefined && session === undefined && cwd === undefined)
    throw new UsageError("Say what to delete: an id, --query, --session or --cwd.")
  if (all && (session !== undefined || cwd !== undefined))
    throw new UsageError("--all goes with neither --session nor --cwd.")
  const name = session !== undefined ? "session" : cwd !== undefined ? "cwd" : "all"
  const scope = await promptScope(composeSessions(context), name, session)
  return query === undefined ? { scope } : { query, scope }
}

async function remove(context: CommandContext, history: PromptHistory, selection: PromptSelection): Promise<ExitCode> {
  const removed = await history.delete(selection)
  if (context.options.json) await context.printJson({ dryRun: false, removed })
  else await context.print([`${plural(removed, "prompt")} removed`])
  return removed === 0 && "id" in selection ? EXIT.notFound : EXIT.ok
}

async function preview(context: CommandContext, history: PromptHistory, selection: PromptSelection): Promise<ExitCode> {
  const { io, style, options } = context
  const found = await selected(history, selection)
  if (options.json) await context.printJsonList({ dryRun: true }, "prompts", found)
  else {
    const table = { style, now: io.now(), withCwd: true, home: io.env.HOME }
    if (found.length > 0) await context.print(promptTable(found, table))
    await context.say(`This was a dry run; ${nextStep(selection, found.length)}`)
  }
  return EXIT.ok
}

/** Distinct texts. Of one that was given several times, an older id finds nothing here, and is deleted all the same. */
async function selected(history: PromptHistory, selection: PromptSelection): Promise<Prompt[]> {
  const limit = Number.MAX_SAFE_INTEGER
  if ("id" in selection) return (await history.search("", { limit })).filter(({ id }) => id === selection.id)
  if ("query" in selection) return history.search(selection.query, { ...selection, limit })
  return history.recent({ ...selection, limit })
}

function nextStep(selection: PromptSelection, count: number): string {
  const isId = "id" in selection
  if (count > 0) return `--yes removes ${plural(count, "prompt")} for good${isId ? ", wherever it was given" : ""}.`
  if (!isId) return "there is nothing to delete."
  return `${selection.id} is not the newest of its text, so that it cannot be shown; --yes deletes it if it is there.`
}
