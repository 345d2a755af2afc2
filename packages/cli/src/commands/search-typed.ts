import { existsSync } from "node:fs"
import { EXIT, type ExitCode } from "../errors/exit-codes.js"
import { UsageError } from "../errors/usage-error.js"
import { isInteractive } from "../io/can-ask.js"
import type { CommandContext } from "../io/command-context.js"
import { historyPath } from "../prompts/open-history.js"
import { everyStore } from "../sessions/every-store.js"
import { quietContext } from "../tui/frame/start-picker.js"
import { searchPrompts } from "./history/search.js"
import { type SearchOptions, search } from "./search.js"

/** Finds prompts: in the history that a program keeps of them, or where there is none in what users said in sessions. */
export async function searchTyped(
  context: CommandContext,
  words: readonly string[],
  options: SearchOptions,
): Promise<ExitCode> {
  const { limit, sort: _, context: __, ...filters } = options
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
  const histories = new Map<string, CommandContext>()
  for (const { context: own, sessions } of await everyStore(context)) {
    const path = historyPath(own, sessions, {})
    if (sessions.files && existsSync(path)) histories.set(path, own)
  }
  if (histories.size === 0) return search(context, words, { ...options, role: ["user"] })
  const found = { ...(limit !== undefined && { limit }), scope: context.options.all ? "all" : "cwd" } as const
  for (const own of histories.values()) await searchPrompts(own, words.join(" "), found)
  return EXIT.ok
}
