import { isBrokenPipe } from "../errors/error-report.js"
import { widthOf } from "../render/width.js"
import type { Output, RunningPager } from "./io.js"

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
