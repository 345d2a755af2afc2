import { Box, type Instance, render, Text, useCursor, useInput, useStdout } from "ink"
import { createElement, type ReactElement, useEffect, useLayoutEffect, useMemo, useReducer, useState } from "react"
import type { Terminal } from "../../io/io.js"
import { KeyReader } from "./key-reader.js"
import type { Shown } from "./picker.js"
import type { WithHelp } from "./with-help.js"

const CSI = `${String.fromCharCode(0x1b)}[`
const CLEAR = `${CSI}2J${CSI}H`
/** The line is cleared where what was typed too early is echoed; the other screen, cleared; pastes are distinguished from keys; and a line that is wider than measured is cut, not broken. */
const ENTER_SCREEN = `\r${CSI}K${CSI}?1049h${CLEAR}${CSI}?2004h${CSI}?7l`
const LEAVE_SCREEN = `${CSI}?7h${CSI}?2004l${CSI}?1049l`

/**
 * Shows a picker until something is picked or the user leaves, and restores the screen.
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

export interface ScreenProps {
  readonly picker: Shown
  /** Called when the screen is left, also where a signal ends the process. */
  readonly onGone: () => void
}

/** Connects a picker with the terminal: passes keys to it, and draws its frames. */
export function Screen({ picker, onGone }: ScreenProps): ReactElement {
  const { stdout } = useStdout()
  const { setCursorPosition } = useCursor()
  const [size, setSize] = useState({ columns: stdout.columns, rows: stdout.rows })
  const [, redraw] = useReducer((count: number) => count + 1, 0)
  const keys = useMemo(() => new KeyReader(), [])

  useInput((input, key) => {
    for (const press of keys.read(input, key)) picker.press(press)
  })
  useEffect(() => {
    const stop = picker.onChange(redraw)
    // A change before the subscription.
    redraw()
    return stop
  }, [picker])
  useEffect(() => {
    const resize = (): void => {
      const { columns, rows } = stdout
      picker.resize({ columns, rows })
      setSize({ columns, rows })
    }
    stdout.on("resize", resize)
    return () => {
      stdout.off("resize", resize)
    }
  }, [stdout, picker])
  useLayoutEffect(() => onGone, [onGone])

  const { lines, cursor } = picker.frame(size)
  setCursorPosition(cursor === undefined ? undefined : { x: cursor, y: 0 })
  const rows = lines.map((line, key) => createElement(Text, { key, wrap: "truncate" }, line || " "))
  return createElement(Box, { flexDirection: "column" }, rows)
}
