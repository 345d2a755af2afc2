import {
  type Prompt,
  type PromptHistory,
  type PromptSelection,
  requirePromptTerms,
} from "@treelog/session-core/prompt-history"
import { plural } from "@treelog-internal/text"
import { EXIT, type ExitCode } from "../../errors/exit-codes.js"
import { UsageError } from "../../errors/usage-error.js"
import type { CommandContext } from "../../io/command-context.js"
import { changeHistory, type HistoryOptions, missingHistory, readHistory } from "../../prompts/open-history.js"
import { promptScope } from "../../prompts/prompt-scope.js"
import { promptTable } from "../../render/prompt-table.js"
import { commandSessions } from "../../sessions/command-sessions.js"

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
  const sessions = await commandSessions(context)
  const selection = await selectionOf(context, id, options)
  return options.yes
    ? changeHistory(context, sessions, options, (history) => remove(context, history, selection))
    : readHistory(context, sessions, options, async (history) =>
        preview(context, selection, await selected(history, selection), missingHistory(context, sessions, options)),
      )
}

/**
 * @throws UsageError where nothing is selected, or more than one thing at once
 * @throws InvalidArgumentError for an empty query
 */
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
    throw new UsageError("Choose what to delete: an id, --query, --session or --cwd.")
  if (all && (session !== undefined || cwd !== undefined))
    throw new UsageError("--all cannot be combined with --session or --cwd.")
  const name = session !== undefined ? "session" : cwd !== undefined ? "cwd" : "all"
  if (query !== undefined) requirePromptTerms(query)
  const scope = await promptScope(await commandSessions(context), name, session)
  return query === undefined ? { scope } : { query, scope }
}

async function remove(context: CommandContext, history: PromptHistory, selection: PromptSelection): Promise<ExitCode> {
  const removed = await history.delete(selection)
  if (context.options.json) await context.printJson({ dryRun: false, removed })
  else await context.print([`${plural(removed, "prompt")} removed`])
  return exitCode(selection, removed)
}

async function preview(
  context: CommandContext,
  selection: PromptSelection,
  found: readonly Prompt[],
  missing: string | undefined,
): Promise<ExitCode> {
  const { io, style, options } = context
  if (options.json) await context.printJsonList({ dryRun: true }, "prompts", found)
  else {
    const table = { style, now: io.now(), withCwd: true, home: io.env.HOME }
    if (found.length > 0) await context.print(promptTable(found, table))
    await context.log(missing ?? `This was a dry run; ${nextStep(selection, found.length)}`)
  }
  return exitCode(selection, found.length)
}

function exitCode(selection: PromptSelection, count: number): ExitCode {
  return count === 0 && "id" in selection ? EXIT.notFound : EXIT.ok
}

/** Distinct texts. */
async function selected(history: PromptHistory, selection: PromptSelection): Promise<Prompt[]> {
  const limit = Number.MAX_SAFE_INTEGER
  if ("id" in selection) return [await history.get(selection.id)].filter((prompt) => prompt !== undefined)
  if ("query" in selection) return history.search(selection.query, { ...selection, limit })
  return history.recent({ ...selection, limit })
}

function nextStep(selection: PromptSelection, count: number): string {
  if (count === 0) return "there is nothing to delete."
  if ("id" in selection) return "--yes removes it for good, wherever it was given."
  return `--yes removes ${plural(count, "prompt")} for good, each as often as it was given.`
}
