import { type Instance, render } from "ink"
import { createElement } from "react"
import type { Terminal } from "../io.js"
import { Picker, type PickerProps } from "./picker.js"
import { listHeight } from "./picker-frame.js"
import { initialState, type PickerAnswer, type PickerOutcome } from "./picker-state.js"

export interface PickerOptions extends Pick<PickerProps, "look" | "find"> {
  readonly terminal: Terminal
  /** What is shown first. */
  readonly answer: PickerAnswer
  readonly interrupted: AbortSignal
}

const CSI = `${String.fromCharCode(0x1b)}[`
/** The other screen, cleared; and pastes are told from keys. */
const TAKE_SCREEN = `${CSI}?1049h${CSI}2J${CSI}H${CSI}?2004h`
const GIVE_SCREEN = `${CSI}?2004l${CSI}?1049l`

/** Shows the picker until something is picked or the user leaves, and gives the screen back as it was. */
export async function runPicker(options: PickerOptions): Promise<PickerOutcome> {
  const { terminal, answer, interrupted, ...props } = options
  const { input, output } = terminal
  const start = initialState(answer, listHeight(output.rows))
  const onGone = (): void => {
    output.write(GIVE_SCREEN)
  }
  output.write(TAKE_SCREEN)
  let app: Instance | undefined
  try {
    return await new Promise((end, fail) => {
      interrupted.addEventListener("abort", () => end({ kind: "left" }), { once: true })
      app = render(createElement(Picker, { ...props, start, end, fail, onGone }), {
        stdin: input,
        stdout: output,
        stderr: output,
        exitOnCtrlC: false,
        patchConsole: false,
      })
    })
  } finally {
    app?.unmount()
    await app?.waitUntilExit()
  }
}
