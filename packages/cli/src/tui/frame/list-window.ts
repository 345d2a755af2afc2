import type { KeyName } from "./key-press.js"

/** The part of a list that is in sight. Nothing here depends on how long the list is. */
export interface ListWindow {
  /** Index of the row that a key acts on; 0 in an empty list. */
  readonly selected: number
  /** Index of the first row in sight. */
  readonly top: number
  /** Rows that there is room for. */
  readonly height: number
}

export function windowOf(height: number): ListWindow {
  return { selected: 0, top: 0, height }
}

/** The window with another row selected: the nearest that there is, kept in sight. */
export function selectRow({ top, height }: ListWindow, index: number, count: number): ListWindow {
  const selected = Math.max(0, Math.min(index, count - 1))
  const lowest = Math.max(0, count - height)
  const inSight = Math.max(selected - height + 1, Math.min(top, selected))
  // A list that became shorter fills the room that there is.
  return { selected, top: Math.min(inSight, lowest), height }
}

/** The window with room for so many rows. */
export function resizeWindow(window: ListWindow, height: number, count: number): ListWindow {
  return selectRow({ ...window, height }, window.selected, count)
}

const STEPS: Readonly<Partial<Record<KeyName, number>>> = {
  up: -1,
  down: 1,
  home: Number.NEGATIVE_INFINITY,
  end: Number.POSITIVE_INFINITY,
}
const PAGES: Readonly<Partial<Record<KeyName, number>>> = { "page-up": -1, "page-down": 1 }

/** The window after a key that moves in lists; undefined for another key. */
export function moveByKey(window: ListWindow, name: KeyName, count: number): ListWindow | undefined {
  const step = STEPS[name] ?? (PAGES[name] ?? 0) * window.height
  return step === 0 ? undefined : selectRow(window, window.selected + step, count)
}
