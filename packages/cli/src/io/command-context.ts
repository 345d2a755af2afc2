import { jsonText } from "@treelog/session-core/json"
import { cleanJson, cleanLine, type Style } from "@treelog-internal/text"
import { isBrokenPipe } from "../errors/error-report.js"
import { styleFor } from "../render/style.js"
import type { Look } from "../render/table.js"
import type { Io, Output } from "./io.js"

/** How many characters are written at once. */
const WRITE_SIZE = 1 << 16

/** What a command and all of its parts share. */
class Shared {
  io: Io
  readonly readerLeft: Promise<void>
  leave: () => void = () => {}
  readonly warned = new Set<string>()
  readonly made = new Map<string, unknown>()
  readonly closers: (() => Promise<void>)[] = []
  beforeOutput: (() => Promise<void>) | undefined
  held: Promise<unknown> = Promise.resolve()
  finishesUnread = false

  constructor(io: Io) {
    this.io = io
    this.readerLeft = new Promise((resolve) => {
      this.leave = resolve
    })
  }
}

/** What a command gets: I/O, the global options, and ways to print. */
export class CommandContext {
  readonly options: GlobalOptions
  readonly style: Style
  /** When the command began. Milliseconds since 1970. */
  readonly startedAt: number
  readonly #shared: Shared

  constructor(io: Io, options: GlobalOptions, shared = new Shared(io)) {
    this.#shared = shared
    this.options = options
    this.style = styleFor(io.stdout, io.env, options)
    this.startedAt = io.now()
  }

  get io(): Io {
    return this.#shared.io
  }

  /** How rows are drawn on stdout. */
  get look(): Look {
    return { style: this.style, now: this.io.now(), home: this.io.env.HOME }
  }

  /** What several parts of the command need, such as a connection: what `make` returned for the same name before, or else returns now. */
  once<Made>(name: string, make: () => Made): Made {
    const { made } = this.#shared
    if (!made.has(name)) made.set(name, make())
    return made.get(name) as Made
  }

  /** Calls `close` when the command ends, also where it failed or was interrupted: the last one first. */
  onEnd(close: () => Promise<void>): void {
    this.#shared.closers.push(close)
  }

  /** Calls `work` before the command prints anything more, or when it ends. */
  beforeOutput(work: () => Promise<void>): void {
    this.#shared.beforeOutput = work
  }

  /** Ends the command. */
  async close(): Promise<void> {
    const { closers } = this.#shared
    await this.#prepareOutput()
    for (let close = closers.pop(); close; close = closers.pop()) await close()
  }

  async #prepareOutput(): Promise<void> {
    const { beforeOutput } = this.#shared
    this.#shared.beforeOutput = undefined
    await beforeOutput?.()
  }

  /** Resolves when the reader of stdout has closed it. */
  get readerLeft(): Promise<void> {
    return this.#shared.readerLeft
  }

  /** The surroundings of a part of the command, which works with these options. What it holds, the command waits for. */
  with(options: GlobalOptions): CommandContext {
    return new CommandContext(this.io, options, this.#shared)
  }

  /** From here on, the command writes to these. */
  redirect(outputs: { readonly stdout: Output; readonly stderr: Output }): void {
    this.#shared.io = { ...this.io, ...outputs }
  }

  /** What is printed goes to a program. @param ended resolves when it has ended */
  readBy(ended: Promise<void>): void {
    ended.then(this.#shared.leave)
  }

  async write(content: string | Uint8Array): Promise<void> {
    await this.#prepareOutput()
    try {
      await this.io.stdout.write(content)
    } catch (error) {
      if (!this.#shared.finishesUnread || !isBrokenPipe(error)) throw error
    }
  }

  /** From here on, the command changes what is stored: it does all of it, also where the reader of stdout has closed it. */
  finishUnread(): void {
    this.#shared.finishesUnread = true
  }

  /** Prints lines on stdout as they are made, so that a reader that stops (`| head`) ends the work. */
  async print(lines: Iterable<string> | AsyncIterable<string>): Promise<void> {
    await this.#writeAll(lines, "\n")
  }

  async #writeAll(parts: Iterable<string> | AsyncIterable<string>, end: string): Promise<void> {
    let text = ""
    for await (const part of parts) {
      text += part + end
      if (text.length < WRITE_SIZE) continue
      await this.write(text)
      text = ""
    }
    if (text !== "") await this.write(text)
  }

  async printJson(value: object): Promise<void> {
    await this.write(`${cleanJson(jsonText({ v: 1, ...value }))}\n`)
  }

  /** Prints a result: with `--json` the document, otherwise the lines. */
  async report(document: object, lines: Iterable<string>): Promise<void> {
    await (this.options.json ? this.printJson(document) : this.print(lines))
  }

  /** Prints a JSON document whose last field is a list; the list never becomes one string. */
  async printJsonList(head: object, name: string, items: Iterable<object>): Promise<void> {
    const parts = function* (): Generator<string> {
      yield `${cleanJson(jsonText({ v: 1, ...head })).slice(0, -1)},${JSON.stringify(name)}:[`
      let separator = ""
      for (const item of items) {
        yield separator + cleanJson(jsonText(item))
        separator = ","
      }
      yield "]}\n"
    }
    await this.#writeAll(parts(), "")
  }

  /** Registers work that holds something it must release: the command does not end before. */
  hold<Result>(work: Promise<Result>): Promise<Result> {
    this.#shared.held = Promise.allSettled([this.#shared.held, work])
    return work
  }

  /** Resolves when nothing is held any more. */
  async released(): Promise<void> {
    await this.#shared.held
  }

  /** Says on stderr, once, what is wrong and ends nothing: with `--json` as JSON, with `--quiet` not at all. */
  warn({ code, data }: { code: string; data: unknown }, sentence: string): void {
    if (this.options.quiet || this.#shared.warned.has(sentence)) return
    this.#shared.warned.add(sentence)
    const json = { v: 1, warning: { code, message: sentence, data } }
    const line = this.options.json ? cleanJson(jsonText(json)) : cleanLine(sentence)
    this.hold(this.#prepareOutput().then(() => this.io.stderr.write(`${line}\n`)))
  }

  /** Says on stderr that a limit left something out. @param what there is more of: `sessions` */
  warnOfMore(what: string, limit: number): void {
    this.warn({ code: "MoreThanLimit", data: { limit } }, `There are more ${what}; --limit shows more.`)
  }

  /** Says a sentence on stderr. `--quiet` and `--json` want none. */
  async log(sentence: string): Promise<void> {
    if (this.options.quiet || this.options.json) return
    await this.#prepareOutput()
    await this.io.stderr.write(`${cleanLine(sentence)}\n`)
  }
}

export interface StoreOptions {
  /** A program, a folder, an address, or `all`. */
  readonly store?: string
  readonly agentDir?: string
  readonly sessionDir?: string
}

/** The options of every command, as commander reads them. */
export interface GlobalOptions extends StoreOptions {
  /** Where images and long texts are, a folder or an address; default: where the session's are. */
  readonly blobs?: string
  /** The folder whose sessions are meant; default: the current one. */
  readonly cwd?: string
  /** Search every folder. */
  readonly all?: boolean
  readonly json?: boolean
  /** False after `--no-color`. */
  readonly color?: boolean
  /** False after `--no-pager`. */
  readonly pager?: boolean
  /** False after `--no-input`: ask nothing. */
  readonly input?: boolean
  readonly quiet?: boolean
  /** As `store` with `all`, which the command has instead. */
  readonly allStores?: true
  readonly debug?: boolean
}

/** What takes longer is noticed. */
const PATIENCE_MS = 100
const REPAINT_MS = 100
/** Takes the last line of a terminal away. */
export const CLEAR_LINE = `\r${String.fromCharCode(0x1b)}[K`

/**
 * One line on stderr that shows the progress of long work: on a terminal only, and only when it takes more than a tenth of a second. It
 * stays until the command prints something, or ends.
 */
export class Progress {
  readonly #context: CommandContext
  readonly #begin: number
  #shownAt = Number.NEGATIVE_INFINITY
  #isShown = false
  readonly #onInterrupt = (): Promise<void> => this.#context.hold(this.#clear())

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
    this.#context.beforeOutput(() => this.#clear())
    await io.stderr.write(`${CLEAR_LINE}${cleanLine(text)}`)
  }

  /** Shows the text repeatedly while the work runs. */
  async during<Result>(work: Promise<Result>, text: () => string): Promise<Result> {
    if (!this.isWanted) return work
    while (!(await settledWithin(work, REPAINT_MS))) await this.show(text())
    return work
  }

  async #clear(): Promise<void> {
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
