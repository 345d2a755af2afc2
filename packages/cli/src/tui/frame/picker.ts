import type { Style } from "@treelog-internal/text"
import { UsageError } from "../../errors/exit-codes.js"
import { usableTerminal } from "../../io/can-ask.js"
import type { CommandContext } from "../../io/command-context.js"
import type { Terminal } from "../../io/io.js"
import { styleFor } from "../../render/style.js"
import type { Look } from "../../render/table.js"
import { padded, truncated, widthOf } from "../../render/width.js"
import { type KeyHelp, type KeyPress, readKeys } from "./key-reader.js"

export interface Frame {
  readonly lines: readonly string[]
  /** The column of the cursor in the first line; undefined where it is hidden. */
  readonly cursor: number | undefined
}

/** The size of a terminal, in columns and rows. */
export interface Size {
  readonly columns: number
  readonly rows: number
}

/**
 * A list to choose from: it has the frame and the meaning of keys, and is independent of the terminal. A picker
 * holds a state that is replaced, never changed, and notifies the screen of each new one.
 */
export abstract class Picker<State, Outcome> {
  /** Resolves with what was picked, or with undefined when the user left; rejects with an unexpected error. */
  readonly outcome: Promise<Outcome | undefined>
  #state: State
  #hasEnded = false
  #isHelpShown = false
  #settle: { resolve: (outcome: Outcome | undefined) => void; reject: (error: unknown) => void } | undefined
  readonly #listeners = new Set<() => void>()

  constructor(state: State) {
    this.#state = state
    this.outcome = new Promise((resolve, reject) => {
      this.#settle = { resolve, reject }
    })
  }

  get state(): State {
    return this.#state
  }

  get hasEnded(): boolean {
    return this.#hasEnded
  }

  /** What the keys do that not every picker has. */
  abstract readonly keys: readonly KeyHelp[]
  /** Whether nothing is typed yet: then `?` asks for the keys. */
  abstract get isBlank(): boolean

  abstract frame(size: Size): Frame
  abstract press(press: KeyPress): void
  abstract resize(size: Size): void

  /** What is on the screen: its frame, or after `?` what the keys do. */
  draw(size: Size, style: Style): Frame {
    return this.#isHelpShown ? helpFrame(this.keys, style, size) : this.frame(size)
  }

  /** Takes a key. `?` shows what the keys do, where nothing is typed; the next key shows the picker again, and does nothing else. */
  take(press: KeyPress): void {
    const isAsked = press.kind === "text" && press.text === "?" && !press.isPasted && this.isBlank
    const leaves = press.kind === "key" && press.name === "ctrl-c"
    if (leaves || (!this.#isHelpShown && !isAsked)) this.press(press)
    else {
      this.#isHelpShown = !this.#isHelpShown
      this.#notify()
    }
  }

  /** @returns a function that unsubscribes */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  protected change(state: State): void {
    if (state === this.#state || this.#hasEnded) return
    this.#state = state
    this.#notify()
  }

  protected end(outcome: Outcome | undefined): void {
    this.#hasEnded = true
    this.#settle?.resolve(outcome)
  }

  protected fail(error: unknown): void {
    this.#hasEnded = true
    this.#settle?.reject(error)
  }

  #notify(): void {
    for (const listener of this.#listeners) listener()
  }
}

const EVERYWHERE: readonly KeyHelp[] = [
  ["Up, Down", "previous, next row"],
  ["Page Up, Page Down", "previous, next page"],
  ["Home, End", "first, last row"],
  ["letters", "search; every word has to match"],
  ["Backspace, Ctrl-W", "delete a letter, a word of the search"],
]

/** What the keys of a picker do. No line is wider than the screen; on a low one, the keys of this picker come first. */
function helpFrame(own: readonly KeyHelp[], { paint, glyphs }: Style, { columns, rows }: Size): Frame {
  const keys = [...own, ...EVERYWHERE]
  const width = Math.max(...keys.map(([name]) => widthOf(name)))
  const cut = (line: string): string => truncated(line, columns, glyphs.ellipsis)
  const lines = [
    paint("bold", cut("Keys")),
    ...keys.slice(0, Math.max(0, rows - 3)).map(([name, does]) => cut(`${padded(name, width)}  ${does}`)),
    paint("dim", cut("any key to go back")),
  ]
  return { lines: lines.slice(0, Math.max(1, rows - 1)), cursor: undefined }
}

const CSI = `${String.fromCharCode(0x1b)}[`
const CLEAR = `${CSI}2J${CSI}H`
const HIDE_CURSOR = `${CSI}?25l`
const SHOW_CURSOR = `${CSI}?25h`
/** The line is cleared where what was typed too early is echoed; the other screen; pastes are distinguished from keys; and a line that is wider than measured is cut, not broken. */
const ENTER_SCREEN = `\r${CSI}K${CSI}?1049h${CSI}?2004h${CSI}?7l`
/** Cleared for terminals that have one screen only. */
const LEAVE_SCREEN = `${CLEAR}${CSI}?7h${CSI}?2004l${CSI}?1049l${SHOW_CURSOR}`

/**
 * Shows a picker until something is picked or the user leaves, and restores the screen.
 * @param interrupted leaves
 * @returns undefined when the user left
 */
export async function startPicker<Outcome>(
  picker: Picker<unknown, Outcome>,
  { input, output, onExit }: Terminal,
  { style }: Look,
  interrupted: AbortSignal,
): Promise<Outcome | undefined> {
  const restore = (): void => {
    output.write(LEAVE_SCREEN)
    input.setRawMode(false)
  }
  const undo = [restore, onExit(restore)]
  input.setRawMode(true)
  output.write(ENTER_SCREEN)
  try {
    return await new Promise((end, fail) => {
      const orFail = (work: () => void): void => {
        try {
          work()
        } catch (error) {
          fail(error)
        }
      }
      let drawing: NodeJS.Immediate | undefined
      const draw = (): void => {
        drawing = undefined
        orFail(() => output.write(screenText(picker.draw(output, style), output)))
      }
      const redraw = (): void => {
        drawing ??= setImmediate(draw)
      }
      const resize = (): void => {
        output.write(CLEAR)
        orFail(() => picker.resize(output))
        redraw()
      }
      interrupted.addEventListener("abort", () => end(undefined), { once: true })
      picker.outcome.then(end, fail)
      undo.push(
        picker.onChange(redraw),
        readKeys(input, (press) => orFail(() => picker.take(press))),
        () => output.off("resize", resize),
        () => clearImmediate(drawing),
      )
      output.on("resize", resize)
      resize()
    })
  } finally {
    for (const step of undo.splice(0)) step()
  }
}

/** What draws a frame. Every line is cleared first: behind its last column, that would clear the column. */
function screenText({ lines, cursor }: Frame, { rows }: Size): string {
  const drawn = [...lines, ...Array<string>(Math.max(0, rows - lines.length)).fill("")]
  const text = drawn.slice(0, rows).map((line, row) => `${CSI}${row + 1}H${CSI}K${line}`)
  return HIDE_CURSOR + text.join("") + (cursor === undefined ? "" : `${CSI}1;${cursor + 1}H${SHOW_CURSOR}`)
}

/** Pickers draw on stderr: stdout is for the result. */
export function pickerLook({ io, options, look }: CommandContext): Look {
  return { ...look, style: styleFor(io.stderr, io.env, options) }
}

/** For work while a picker is shown: it writes nothing to stderr, which is the screen. */
export function quietContext(context: CommandContext): CommandContext {
  return context.with({ ...context.options, quiet: true })
}

/**
 * The terminal of the user.
 * @param command what needs it
 * @param alternatives which options do the same without one
 * @throws UsageError where there is no terminal, or with --no-input
 */
export function requireTerminal(context: CommandContext, command: string, alternatives: string): Terminal {
  if (context.options.input === false)
    throw new UsageError(`\`${command}\` asks for input, which --no-input forbids; ${alternatives}.`)
  const terminal = usableTerminal(context.io)
  if (terminal) return terminal
  throw new UsageError(`\`${command}\` needs a terminal to choose in; ${alternatives}.`)
}
