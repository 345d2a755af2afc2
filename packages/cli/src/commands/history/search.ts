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
import { promptTable } from "../../render/prompt-table.js"

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
  const found = await searchHistories(histories, query, { scope, limit })
  if (context.options.json) for (const prompt of found) await context.printJson(prompt)
  else if (found.length > 0) await printTable(context, found, name === "all" || name === "repository")
  else await context.log(nothingFound(name))
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
