import { Box, Text, useCursor, useInput, useStdout } from "ink"
import { createElement, type ReactElement, useEffect, useLayoutEffect, useMemo, useState } from "react"
import { LiveSearch } from "./live-search.js"
import { type FrameOptions, listHeight, pickerFrame } from "./picker-frame.js"
import type { PickerAnswer, PickerOutcome, PickerRequest, PickerState } from "./picker-state.js"
import { press, take } from "./press.js"
import { KeyReader } from "./read-key.js"

export interface PickerProps {
  readonly start: PickerState
  readonly look: Omit<FrameOptions, "columns" | "rows">
  readonly find: (request: PickerRequest) => Promise<PickerAnswer>
  readonly end: (outcome: PickerOutcome) => void
  readonly fail: (error: unknown) => void
  /** Called when the screen is no longer ours, also where a signal ends the process. */
  readonly onGone: () => void
}

/** Keys, searches and frames, tied together. What they do is in press.ts, live-search.ts and picker-frame.ts. */
export function Picker({ start, look, find, end, fail, onGone }: PickerProps): ReactElement {
  const { stdout } = useStdout()
  const { setCursorPosition } = useCursor()
  const [state, change] = useState(start)
  const [size, setSize] = useState({ columns: stdout.columns, rows: stdout.rows })
  const keys = useMemo(() => new KeyReader(), [])
  const search = useMemo(() => new LiveSearch(find), [find])
  const { wanted, answer, outcome } = state

  useInput((input, key) => {
    for (const action of keys.read(input, key)) change((now) => press(now, action))
  })
  useEffect(() => {
    if (wanted !== answer.request) search.ask(wanted, (found) => change((now) => take(now, found))).catch(fail)
  }, [wanted, answer, search, fail])
  useEffect(() => {
    if (outcome) end(outcome)
  }, [outcome, end])
  useEffect(() => {
    const resize = (): void => {
      const { columns, rows } = stdout
      setSize({ columns, rows })
      change((now) => press(now, { kind: "resize", height: listHeight(rows) }))
    }
    stdout.on("resize", resize)
    return () => {
      stdout.off("resize", resize)
    }
  }, [stdout])
  useLayoutEffect(() => onGone, [onGone])

  const { lines, cursor } = pickerFrame(state, { ...look, ...size })
  setCursorPosition({ x: cursor, y: 0 })
  const rows = lines.map((line, key) => createElement(Text, { key, wrap: "truncate" }, line || " "))
  return createElement(Box, { flexDirection: "column" }, rows)
}
