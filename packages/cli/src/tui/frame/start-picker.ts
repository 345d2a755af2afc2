import type { Style } from "@treelog-internal/text"
import { UsageError } from "../../errors/usage-error.js"
import { usableTerminal } from "../../io/can-ask.js"
import type { CommandContext } from "../../io/command-context.js"
import type { Terminal } from "../../io/io.js"
import { styleFor } from "../../render/style.js"
import { readKeys } from "./key-reader.js"
import type { Frame, Picker, Size } from "./picker.js"

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
  { style }: PickerDisplay,
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

/** How a picker draws, and from what it computes ages and folder names. */
export interface PickerDisplay {
  readonly style: Style
  /** Milliseconds since 1970. */
  readonly now: number
  readonly home: string | undefined
}

/** Pickers draw on stderr: stdout is for the result. */
export function pickerDisplay({ io, options }: CommandContext): PickerDisplay {
  return { style: styleFor(io.stderr, io.env, options), now: io.now(), home: io.env.HOME }
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
