import type { PromptStats } from "@treelog/history-sqlite"
import { numberText, sizeText, timeAt } from "@treelog-internal/text"
import { EXIT, type ExitCode } from "../../errors/exit-codes.js"
import type { CommandContext } from "../../io/command-context.js"
import {
  type HistoryOptions,
  noHistory,
  openHistories,
  type StoredPrompt,
  searchHistories,
} from "../../prompts/open-history.js"
import { promptScope, type ScopeName, type ScopeOptions, scopeName } from "../../prompts/prompt-scope.js"
import { warnOfMore } from "../../render/more.js"
import { promptTable } from "../../render/prompt-table.js"
import { type Fact, factLines } from "../../render/table.js"

export interface SearchOptions extends HistoryOptions, ScopeOptions {
  /** At most so many prompts; default 100. */
  readonly limit?: number
}

/** Prints the newest prompts that hold every word of the query. */
export async function searchPrompts(context: CommandContext, query: string, options: SearchOptions): Promise<ExitCode> {
  const { limit = 100, session } = options
  const name = scopeName(options, context.options.cwd)
  const scope = await promptScope(context, name, session)
  const histories = await openHistories(context, options)
  if (histories.length === 0) return noHistory(context, options)
  const fitting = await searchHistories(histories, query, { scope, limit: limit + 1 })
  const found = fitting.slice(0, limit)
  if (context.options.json) for (const prompt of found) await context.printJson(prompt)
  else if (found.length > 0) await printTable(context, found, name === "all" || name === "repository")
  else await context.log(nothingFound(name))
  if (fitting.length > limit) warnOfMore(context, "prompts", limit)
  // As grep ends.
  return found.length > 0 || query === "" ? EXIT.ok : EXIT.failed
}

export function recentPrompts(context: CommandContext, options: SearchOptions): Promise<ExitCode> {
  return searchPrompts(context, "", options)
}

function nothingFound(scope: ScopeName): string {
  return scope === "all" ? "No prompt found." : `No prompt found in the scope ${scope}; there is --scope all.`
}

async function printTable(context: CommandContext, found: readonly StoredPrompt[], withCwd: boolean): Promise<void> {
  const { io, style } = context
  await context.print(promptTable(found, { style, now: io.now(), withCwd, home: io.env.HOME }))
}

export async function historyStats(context: CommandContext, options: HistoryOptions): Promise<ExitCode> {
  const histories = await openHistories(context, options)
  if (histories.length === 0) return noHistory(context, options)
  for (const [at, { path, history }] of histories.entries()) {
    const stats = await history.stats()
    const { oldest = null, newest = null } = stats
    const facts = factLines(promptStatsFacts(stats, path), context.style)
    await context.report({ path, ...stats, oldest, newest }, at === 0 ? facts : ["", ...facts])
  }
  return EXIT.ok
}

/** What the history holds. */
function promptStatsFacts({ stored, folders, sessions, oldest, newest, bytes }: PromptStats, path: string): Fact[] {
  const time = (at: number | undefined): string => (at === undefined ? "-" : timeAt(at))
  return [
    ["prompts", numberText(stored)],
    ["folders", numberText(folders)],
    ["sessions", numberText(sessions)],
    ["oldest", time(oldest)],
    ["newest", time(newest)],
    ["size", sizeText(bytes)],
    ["file", path],
  ]
}
