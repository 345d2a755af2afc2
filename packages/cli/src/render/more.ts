import type { CommandContext } from "../io/command-context.js"

/** Says on stderr that a limit left something out; with `--json` as JSON. @param what there is more of: `sessions` */
export function warnOfMore(context: CommandContext, what: string, limit: number): void {
  context.warn({ code: "MoreThanLimit", data: { limit } }, `There are more ${what}; --limit shows more.`)
}
