import { isBrokenPipe } from "../errors/error-report.js"
import { widthOf } from "../render/width.js"
import { CLEAR_LINE, type CommandContext, type GlobalOptions } from "./command-context.js"
import type { Io, Output, PagerCommand, RunningPager } from "./io.js"

/** From here on, what the command prints on a terminal is shown by the user's pager, if it is longer than the screen. */
export function startPaging(context: CommandContext): void {
  const { io, options } = context
  const command = io.stdout.isTTY ? pagerCommand(io.env, options) : undefined
  if (!command) return
  const stderr = waitingStderr(io.stderr)
  const stdout = new PagedOutput(io.stdout, async () => {
    const pager = await startPager(io, command)
    if (!pager) return undefined
    await stderr.hold()
    context.readBy(pager.ended)
    return pager
  })
  context.redirect({ stdout, stderr })
  context.onEnd(async () => {
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
function waitingStderr(output: Output) {
  let waiting: (string | Uint8Array)[] | undefined
  return {
    ...output,
    get isTTY() {
      return output.isTTY && !waiting
    },
    async write(content: string | Uint8Array) {
      if (waiting) waiting.push(content)
      else await output.write(content)
    },
    async hold() {
      if (output.isTTY && !waiting) await output.write(CLEAR_LINE)
      waiting ??= []
    },
    async release() {
      const held = waiting ?? []
      waiting = undefined
      for (const content of held) await output.write(content)
    },
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

/** Text that is not complete after this long is shown by the pager as it comes. Milliseconds. */
const PATIENCE_MS = 100

type Content = string | Uint8Array

/** stdout on a terminal: shown by a pager where it is longer than the screen, or takes a while to come; else written as it is. */
export class PagedOutput implements Output {
  readonly #screen: Output
  readonly #start: () => Promise<RunningPager | undefined>
  readonly #waiting: Content[] = []
  #rows = 0
  #timer: NodeJS.Timeout | undefined
  /** The pager, or undefined where it cannot be started. */
  #pager: Promise<RunningPager | undefined> | undefined
  #sent: Promise<void> = Promise.resolve()

  /** @param start starts the pager; undefined where it cannot be started: the screen gets the text */
  constructor(screen: Output, start: () => Promise<RunningPager | undefined>) {
    this.#screen = screen
    this.#start = start
  }

  get isTTY(): boolean {
    return this.#screen.isTTY
  }

  get columns(): number {
    return this.#screen.columns
  }

  get rows(): number {
    return this.#screen.rows
  }

  /** Resolves when the text is held or written. @throws an error with the code EPIPE when the user has left the pager */
  async write(content: Content): Promise<void> {
    this.#waiting.push(content)
    if (!this.#pager) {
      this.#rows += this.#rowsOf(content)
      this.#timer ??= setTimeout(() => this.#send(), PATIENCE_MS)
      if (this.#rows < this.rows) return
    }
    await this.#send()
  }

  /** Writes what is held, or waits until the user has left the pager. */
  async end(): Promise<void> {
    clearTimeout(this.#timer)
    if (!this.#pager) for (const content of this.#waiting.splice(0)) await this.#screen.write(content)
    try {
      await this.#sent
    } catch (error) {
      // A user who leaves the pager early has seen enough.
      if (!isBrokenPipe(error)) throw error
    }
    await (await this.#pager)?.end()
  }

  #send(): Promise<void> {
    clearTimeout(this.#timer)
    const pager = this.#pager ?? this.#start()
    this.#pager = pager
    const sent = this.#sent.then(async () => {
      const output = (await pager) ?? this.#screen
      for (const content of this.#waiting.splice(0)) await output.write(content)
    })
    this.#sent = sent
    // The next `write`, or `end`, throws the error.
    sent.catch(() => undefined)
    return sent
  }

  /** How many rows of the screen it takes. Bytes are not counted: they are no text for a terminal. */
  #rowsOf(content: Content): number {
    if (typeof content !== "string") return 0
    const lines = content.split("\n")
    if (lines.at(-1) === "") lines.pop()
    return lines.reduce((sum, line) => sum + Math.max(1, Math.ceil(widthOf(line) / this.columns)), 0)
  }
}
