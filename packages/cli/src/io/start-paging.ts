import type { CommandContext } from "./command-context.js"
import type { GlobalOptions } from "./global-options.js"
import type { Io, Output, PagerCommand, RunningPager } from "./io.js"
import { PagedOutput } from "./paged-output.js"
import { CLEAR_LINE } from "./progress.js"

/** From here on, what the command prints on a terminal is shown by the user's pager, if it is longer than the screen. */
export function startPaging(context: CommandContext): void {
  const { io, options } = context
  const command = io.stdout.isTTY ? pagerCommand(io.env, options) : undefined
  if (!command) return
  const stderr = new WaitingStderr(io.stderr)
  const stdout = new PagedOutput(io.stdout, async () => {
    const pager = await startPager(io, command)
    if (!pager) return undefined
    await stderr.hold()
    context.readBy(pager.ended)
    return pager
  })
  context.redirect({ stdout, stderr })
  context.resources.onEnd(async () => {
    await stdout.end()
    await stderr.release()
  })
}

/** @returns undefined where it cannot be started, which stderr says where the user named it */
async function startPager(io: Io, command: PagerCommand): Promise<RunningPager | undefined> {
  try {
    return await io.startPager(command)
  } catch (error) {
    if (!(error instanceof Error && "code" in error && typeof error.code === "string")) throw error
    if (command.isNamed)
      await io.stderr.write(`The pager ${command.file} cannot be started (${error.code}); --no-pager does without.\n`)
    return undefined
  }
}

/** stderr of a command whose screen a pager has: what is written waits until the user has left the pager, and progress is not shown. */
class WaitingStderr implements Output {
  readonly #output: Output
  #waiting: (string | Uint8Array)[] | undefined

  constructor(output: Output) {
    this.#output = output
  }

  get isTTY(): boolean {
    return this.#output.isTTY && !this.#waiting
  }

  get columns(): number {
    return this.#output.columns
  }

  get rows(): number {
    return this.#output.rows
  }

  async write(content: string | Uint8Array): Promise<void> {
    if (this.#waiting) this.#waiting.push(content)
    else await this.#output.write(content)
  }

  async hold(): Promise<void> {
    if (this.isTTY) await this.#output.write(CLEAR_LINE)
    this.#waiting ??= []
  }

  async release(): Promise<void> {
    const waiting = this.#waiting ?? []
    this.#waiting = undefined
    for (const content of waiting) await this.#output.write(content)
  }
}

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
