import { cleanLine } from "@treelog-internal/text"
import type { CommandContext } from "./command-context.js"

/** What takes longer is noticed. */
const PATIENCE_MS = 100
const REPAINT_MS = 100
/** Takes the last line of a terminal away. */
export const CLEAR_LINE = `\r${String.fromCharCode(0x1b)}[K`

/** One line on stderr that shows the progress of long work: on a terminal only, and only when it takes more than a tenth of a second. */
export class Progress {
  readonly #context: CommandContext
  readonly #begin: number
  #shownAt = Number.NEGATIVE_INFINITY
  #isShown = false
  readonly #onInterrupt = (): Promise<void> => this.#context.hold(this.clear())

  constructor(context: CommandContext) {
    this.#context = context
    this.#begin = context.io.now()
  }

  /** Whether it is seen: on a terminal. */
  get isWanted(): boolean {
    const { io, options } = this.#context
    return io.stderr.isTTY && !options.quiet && !io.interrupted.aborted
  }

  /** Whether `show` would print now. */
  get isDue(): boolean {
    if (!this.isWanted) return false
    const now = this.#context.io.now()
    return now - this.#begin >= PATIENCE_MS && now - this.#shownAt >= REPAINT_MS
  }

  async show(text: string): Promise<void> {
    if (!this.isDue) return
    const { io } = this.#context
    this.#shownAt = io.now()
    this.#isShown = true
    io.interrupted.addEventListener("abort", this.#onInterrupt)
    await io.stderr.write(`${CLEAR_LINE}${cleanLine(text)}`)
  }

  /**
   * Shows the text repeatedly while the work runs. It stays until the command prints something: what follows may take a while, too.
   */
  async during<Result>(work: Promise<Result>, text: () => string): Promise<Result> {
    if (!this.isWanted) return work
    while (!(await settledWithin(work, REPAINT_MS))) await this.show(text())
    if (this.#isShown) this.#context.resources.beforeOutput(() => this.clear())
    return work
  }

  /** Takes the line away: something is about to be printed, or the work is done. */
  async clear(): Promise<void> {
    const { stderr, interrupted } = this.#context.io
    interrupted.removeEventListener("abort", this.#onInterrupt)
    if (this.#isShown) await stderr.write(CLEAR_LINE)
    this.#isShown = false
  }
}

/** Whether the promise has settled within so long. @param ms milliseconds */
export async function settledWithin(work: Promise<unknown>, ms: number): Promise<boolean> {
  const settled = work.then(
    () => true,
    () => true,
  )
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<false>((resolve) => {
    timer = setTimeout(resolve, ms, false)
  })
  try {
    return await Promise.race([settled, late])
  } finally {
    clearTimeout(timer)
  }
}
