import { EXIT, type ExitCode } from "../errors/exit-codes.js"
import { UsageError } from "../errors/usage-error.js"
import { isInteractive } from "../io/can-ask.js"
import type { CommandContext } from "../io/command-context.js"
import { openHistories } from "../prompts/open-history.js"
import { everyStore } from "../sessions/every-store.js"
import { listed } from "../sessions/program-stores.js"
import { quietContext } from "../tui/frame/start-picker.js"
import { searchPrompts } from "./history/search.js"
import { type SearchOptions, search } from "./search.js"

/** Finds prompts: in the history that a program keeps of them, or where there is none in what users said in sessions. */
export async function searchTyped(
  context: CommandContext,
  words: readonly string[],
  options: SearchOptions & { readonly prompts?: boolean },
): Promise<ExitCode> {
  const { limit, sort: _, context: __, prompts: ___, ...filters } = options
  const [filter] = Object.keys(filters)
  if (filter !== undefined) throw new UsageError(`--prompts takes words and --limit, and no --${filter}.`)
  if (words.length === 0 && isInteractive(context)) {
    const { find } = await import("./find/find.js")
    const scope = context.options.all ? "all" : "project"
    const start = {
      command: "treelog search --prompts",
      alternatives: "name words",
      view: "prompts",
      query: "",
      scope,
    } as const
    return find(context, await everyStore(quietContext(context)), start)
  }
  const histories = await openHistories(context, {})
  if (histories.length > 0) {
    const scope = context.options.all ? "all" : "cwd"
    const code = await searchPrompts(context, words.join(" "), { ...(limit !== undefined && { limit }), scope })
    // What other programs keep are sessions alone.
    const where = `the history of ${listed(histories.map(({ program = "treelog" }) => program))}`
    if (code === EXIT.ok) {
      await context.log(`These are of ${where}; \`treelog search --role user\` finds what was said in sessions.`)
      return code
    }
    await context.log(`Not in ${where}; searching what was said in sessions.`)
  }
  return search(context, words, { ...options, role: ["user"] })
}
