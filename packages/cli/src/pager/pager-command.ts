import type { Io, PagerCommand } from "../io/io.js"
import type { GlobalOptions } from "../program/options.js"

const DEFAULT = "less"
/** As git has them: quit where all fits on the screen, pass colours on, and leave the text on the screen. */
const DEFAULTS: Readonly<Record<string, string>> = { LESS: "FRX", LV: "-c" }
/** What git gives to a shell, but for spaces: words are split at them. */
const SHELL_SIGNS = /[|&;<>()$`\\"'*?[#~=%]/

/**
 * The pager of the user: TREELOG_PAGER, or else PAGER, or else `less`. As in git, `cat` and an empty one mean none.
 * @returns undefined where nothing is to be paged
 */
export function pagerCommand(env: Io["env"], { json, pager }: GlobalOptions): PagerCommand | undefined {
  if (json || pager === false || env.TERM === "dumb") return undefined
  const named = env.TREELOG_PAGER ?? env.PAGER
  const command = (named ?? DEFAULT).trim()
  if (command === "" || command === "cat") return undefined
  const isShell = SHELL_SIGNS.test(command)
  const [file = command, ...args] = isShell ? [command] : command.split(/\s+/)
  const missing = Object.entries(DEFAULTS).filter(([name]) => env[name] === undefined)
  return { file, args, isShell, isNamed: named !== undefined, env: Object.fromEntries(missing) }
}
