import type { Style } from "@treelog-internal/text"
import { UsageError } from "../../errors/usage-error.js"
import type { CommandContext } from "../../io/command-context.js"
import type { Io, Terminal } from "../../io/io.js"
import { styleFor } from "../../render/style.js"
import type { Picker } from "./picker.js"
import { WithHelp } from "./with-help.js"

/**
 * Loads what shows a picker, and shows it. What is typed meanwhile is not echoed: it is for the picker.
 * @param interrupted leaves
 * @returns undefined when the user left
 */
export async function startPicker<Outcome>(
  picker: Picker<unknown, Outcome>,
  terminal: Terminal,
  { style }: PickerDisplay,
  interrupted: AbortSignal,
): Promise<Outcome | undefined> {
  const { input } = terminal
  input.setRawMode(true)
  try {
    const { showPicker } = await import("./show-picker.js")
    return await showPicker(new WithHelp(picker, style), terminal, interrupted)
  } finally {
    input.setRawMode(false)
  }
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
    throw new UsageError(`\`${command}\` asks, which --no-input forbids; ${alternatives}.`)
  const terminal = usable(context.io)
  if (terminal) return terminal
  throw new UsageError(`\`${command}\` needs a terminal to show what there is to choose from; ${alternatives}.`)
}

/** Whether the user can be asked. */
export function isInteractive({ io, options }: CommandContext): boolean {
  return options.input !== false && usable(io) !== undefined
}

/** ink goes by the same rule, and draws nothing where a build runs. */
function usable({ env, terminal }: Io): Terminal | undefined {
  const isInCi = [env.CI, env.CONTINUOUS_INTEGRATION].some(
    (value) => value !== undefined && value !== "0" && value !== "false",
  )
  return isInCi || env.TERM === "dumb" ? undefined : terminal()
}
