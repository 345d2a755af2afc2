import { ageOf, cleanLine, folderLine } from "@treelog-internal/text"
import { EXIT, type ExitCode, UsageError } from "../../errors/exit-codes.js"
import { isInteractive } from "../../io/can-ask.js"
import type { CommandContext } from "../../io/command-context.js"
import { type Column, type Look, tableLines } from "../../render/table.js"
import { type FoundPrompt, findPrompts, openPromptSources, promptScope } from "../../search/prompt-sources.js"
import type { SearchFilters } from "../../search/search-query.js"
import { timesOf } from "../../sessions/time-options.js"
import { listed } from "../../store/chosen-store.js"

const LIMIT = 20

interface TypedOptions extends SearchFilters {
  readonly limit?: number
  readonly sort?: string
  readonly context?: number
  readonly prompts?: boolean
}

/** Finds what users typed, in what programs keep of prompts. @returns undefined where there is nothing of it: it may be in sessions */
export async function searchTyped(
  context: CommandContext,
  words: readonly string[],
  options: TypedOptions,
): Promise<ExitCode | undefined> {
  const { limit = LIMIT, since, until, sort: _, context: __, prompts: ___, ...filters } = options
  const [filter] = Object.keys(filters)
  if (filter !== undefined)
    throw new UsageError(`--prompts takes words, --since, --until and --limit, and no --${filter}.`)
  const isEverywhere = context.options.all === true
  if (words.length === 0 && since === undefined && until === undefined && isInteractive(context)) {
    const { findScoped } = await import("../../tui/finder/find.js")
    const command = "treelog search --prompts"
    return findScoped(context, { command, alternatives: "name words", view: "prompts", query: "" })
  }
  const sources = await openPromptSources(context)
  const where = `what ${listed(sources.map(({ store }) => store))} keep${sources.length === 1 ? "s" : ""} of prompts`
  const times = timesOf(options, context.io.now())
  const scope = await promptScope(context, isEverywhere)
  const found = await findPrompts(
    sources,
    { text: words.join(" "), scope, times, limit: limit + 1 },
    (sentence, what) => context.warn(what, sentence),
  )
  const shown = found.slice(0, limit)
  if (shown.length === 0) {
    if (sources.length > 0) await context.log(`Not in ${where}; searching what was said in sessions.`)
    return undefined
  }
  if (context.options.json) for (const prompt of shown) await context.printJson(prompt)
  else await context.print(promptTable(shown, context.look, isEverywhere))
  if (found.length > limit) context.warnOfMore("prompts", limit)
  await context.log(`These are of ${where}; \`treelog search --role user\` finds what was said in sessions.`)
  return EXIT.ok
}

function promptTable(prompts: readonly FoundPrompt[], { style, now, home }: Look, withCwd: boolean): string[] {
  const columns: Column<FoundPrompt>[] = [
    { title: "AGE", cell: ({ createdAt }) => ageOf(createdAt, now), align: "right" },
  ]
  if (prompts.some(({ store }) => store !== undefined))
    columns.unshift({ title: "STORE", cell: ({ store = "" }) => store })
  if (withCwd) columns.push({ title: "FOLDER", cell: ({ cwd }) => folderLine(cwd ?? "", home), most: 28, least: 12 })
  columns.push({ title: "PROMPT", cell: ({ text }) => cleanLine(text) })
  return tableLines(columns, prompts, style)
}
