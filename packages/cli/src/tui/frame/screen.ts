import { Box, Text, useCursor, useInput, useStdout } from "ink"
import { createElement, type ReactElement, useEffect, useLayoutEffect, useMemo, useReducer, useState } from "react"
import { KeyReader } from "./key-reader.js"
import type { Shown } from "./picker.js"

export interface ScreenProps {
  readonly picker: Shown
  /** Called when the screen is no longer ours, also where a signal ends the process. */
  readonly onGone: () => void
}

/** Ties a picker to the terminal: keys go in, frames come out. */
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
