import type { CommandContext } from "../io/command-context.js"
import type { Io, Output, PagerCommand, RunningPager } from "../io/io.js"
import { CLEAR_LINE } from "../io/progress.js"
import { PagedOutput } from "./paged-output.js"
import { pagerCommand } from "./pager-command.js"

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

/** @returns undefined where it cannot be started, after a word about it if the user named it: without `less`, there is no pager */
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
