import type { CommandContext } from "./command-context.js"
import { cleanLine } from "./render/clean-text.js"

const PATIENCE_MS = 1000
const REPAINT_MS = 100
const CLEAR_LINE = `\r${String.fromCharCode(0x1b)}[K`

/** One line on stderr that tells how far long work is: on a terminal only, and only when it takes more than a second. */
export class Progress {
  readonly #context: CommandContext
  readonly #begin: number
  #told = Number.NEGATIVE_INFINITY
  #isShown = false

  constructor(context: CommandContext) {
    this.#context = context
    this.#begin = context.io.now()
  }

  async tell(text: string): Promise<void> {
    const { io, options } = this.#context
    const now = io.now()
    if (options.quiet || !io.stderr.isTTY || now - this.#begin < PATIENCE_MS || now - this.#told < REPAINT_MS) return
    this.#told = now
    this.#isShown = true
    await io.stderr.write(`${CLEAR_LINE}${cleanLine(text)}`)
  }

  /** Takes the line away: something is about to be printed, or the work is done. */
  async clear(): Promise<void> {
    if (this.#isShown) await this.#context.io.stderr.write(CLEAR_LINE)
    this.#isShown = false
  }
}
