import { type Instance, render } from "ink"
import { createElement } from "react"
import type { Terminal } from "../../io/io.js"
import { Screen } from "./screen.js"
import type { WithHelp } from "./with-help.js"

const CSI = `${String.fromCharCode(0x1b)}[`
const CLEAR = `${CSI}2J${CSI}H`
/** The line is cleared where what was typed too early is echoed; the other screen, cleared; pastes are distinguished from keys; and a line that is wider than measured is cut, not broken. */
const ENTER_SCREEN = `\r${CSI}K${CSI}?1049h${CLEAR}${CSI}?2004h${CSI}?7l`
const LEAVE_SCREEN = `${CSI}?7h${CSI}?2004l${CSI}?1049l`

/**
 * Shows a picker until something is picked or the user leaves, and gives the screen back as it was.
 * @param interrupted leaves
 * @returns undefined when the user left
 */
export async function showPicker<Outcome>(
  picker: WithHelp<Outcome>,
  { input, output }: Terminal,
  interrupted: AbortSignal,
): Promise<Outcome | undefined> {
  const onGone = (): void => {
    output.write(LEAVE_SCREEN)
  }
  picker.resize({ columns: output.columns, rows: output.rows })
  output.write(ENTER_SCREEN)
  let app: Instance | undefined
  const drawAnew = (): void => {
    output.write(CLEAR)
    app?.clear()
  }
  output.on("resize", drawAnew)
  try {
    return await new Promise((end, fail) => {
      interrupted.addEventListener("abort", () => end(undefined), { once: true })
      picker.outcome.then(end, fail)
      app = render(createElement(Screen, { picker, onGone }), {
        stdin: input,
        stdout: output,
        stderr: output,
        exitOnCtrlC: false,
        patchConsole: false,
      })
      // A fault in drawing ends the app by itself.
      app.waitUntilExit().then(() => end(undefined), fail)
    })
  } finally {
    output.off("resize", drawAnew)
    app?.unmount()
    await Promise.allSettled([app?.waitUntilExit()])
  }
}
