import type { Prompt, PromptSelection, SqlitePromptHistory } from "@treelog/history-sqlite"
import { plainTerms } from "@treelog/session-core/search"
import { plural } from "@treelog-internal/text"
import { EXIT, type ExitCode } from "../../errors/exit-codes.js"
import { UsageError } from "../../errors/usage-error.js"
import type { CommandContext } from "../../io/command-context.js"
import {
  changeHistory,
  type HistoryOptions,
  noHistory,
  ofHistory,
  openHistories,
  type StoredPrompt,
  type StoreHistory,
} from "../../prompts/open-history.js"
import { promptScope } from "../../prompts/prompt-scope.js"
import { promptTable } from "../../render/prompt-table.js"

interface DeleteOptions extends HistoryOptions {
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
  const selection = await selectionOf(context, id, options)
  const histories = await openHistories(context, options)
  if (histories.length === 0) return noHistory(context, options)
  const found: StoredPrompt[] = []
  const having: StoreHistory[] = []
  for (const one of histories) {
    const prompts = await selected(one.history, selection)
    if (prompts.length > 0) having.push(one)
    for (const prompt of prompts) found.push(ofHistory(prompt, one, histories))
  }
  const [first, second] = having
  if ("id" in selection && first && second)
    throw new UsageError(
      `${having.length} histories have a prompt ${selection.id}: ${first.path} is one; choose with --db.`,
    )
  if (!options.yes) return preview(context, selection, found)
  let removed = 0
  for (const { path } of having)
    removed += await changeHistory(context, path, undefined, (history) => history.delete(selection))
  await context.report({ dryRun: false, removed }, [`${plural(removed, "prompt")} removed`])
  return exitCode(selection, removed)
}

/** @throws UsageError where nothing is selected, more than one thing at once, or everything by an empty query */
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
  if (query !== undefined && plainTerms(query).length === 0) throw new UsageError("--query needs at least one term.")
  const scope = await promptScope(context, name, session)
  return query === undefined ? { scope } : { query, scope }
}

async function preview(
  context: CommandContext,
  selection: PromptSelection,
  found: readonly StoredPrompt[],
): Promise<ExitCode> {
  const { io, style, options } = context
  if (options.json) await context.printJsonList({ dryRun: true }, "prompts", found)
  else {
    const table = { style, now: io.now(), withCwd: true, home: io.env.HOME }
    if (found.length > 0) await context.print(promptTable(found, table))
    await context.log(`This was a dry run; ${nextStep(selection, found.length)}`)
  }
  return exitCode(selection, found.length)
}

function exitCode(selection: PromptSelection, count: number): ExitCode {
  return count === 0 && "id" in selection ? EXIT.notFound : EXIT.ok
}

/** Distinct texts. */
async function selected(history: SqlitePromptHistory, selection: PromptSelection): Promise<Prompt[]> {
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
