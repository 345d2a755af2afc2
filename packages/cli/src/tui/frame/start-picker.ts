import type { Terminal } from "../../io/io.js"
import type { Picker } from "./picker.js"
import type { PickerDisplay } from "./picker-environment.js"
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
