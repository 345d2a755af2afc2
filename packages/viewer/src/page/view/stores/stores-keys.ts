import { useKeys } from "../input/use-keys.js"
import type { StoresPage } from "./stores-page.js"

/** The keyboard shortcuts, for the help dialog. */
export const LIST_SHORTCUTS: readonly (readonly [keys: string, does: string])[] = [
  ["j / k", "next or previous session or hit"],
  ["Enter", "open it; in the search, the first hit"],
  ["/", "filter or search"],
  ["1 / 2 / 3", "sessions, search or usage"],
  ["d", "dark or light"],
  ["Escape", "close the dialog or the projects"],
  ["?", "show keyboard shortcuts"],
]

export function useStoresKeys(page: StoresPage, showHelp: () => void): void {
  useKeys(page, ({ key }) => pressed(page, key, showHelp))
}

/** @returns whether the key was handled */
function pressed(page: StoresPage, key: string, showHelp: () => void): boolean {
  if (key === "?") showHelp()
  else if ((key === "j" || key === "k") && document.activeElement === document.body) return focusFirstRow()
  else if (key === "/") document.querySelector<HTMLElement>("#find")?.focus()
  else if (key === "1") location.hash = page.addressOf("sessions")
  else if (key === "2") location.hash = page.addressOf("search")
  else if (key === "3") location.hash = page.addressOf("usage")
  else if (key === "Escape" && page.isPanelOpen) page.setPanel(false)
  else return false
  return true
}

/** Goes to the list while nothing has the focus. @returns whether there is a row */
function focusFirstRow(): boolean {
  const row = document.querySelector<HTMLElement>(".main [data-row] a, .main [data-row] [tabindex]")
  row?.focus()
  return row !== null
}

/** Moves between the rows of a list with j, k and the arrow keys. @param focus called with the row to focus */
export function rowKey(event: KeyboardEvent, count: number, focus: (row: number) => void): void {
  const step = STEPS[event.key]
  if (step === undefined || event.ctrlKey || event.metaKey || event.altKey || count === 0) return
  const row = rowOf(event)
  focus(row === undefined ? 0 : Math.max(0, Math.min(count - 1, row + step)))
  event.preventDefault()
}

const STEPS: Readonly<Record<string, number>> = { j: 1, ArrowDown: 1, k: -1, ArrowUp: -1, PageDown: 12, PageUp: -12 }

/** The row of a list in which something has happened. */
export function rowOf({ target }: Event): number | undefined {
  const row = target instanceof Element ? target.closest<HTMLElement>("[data-row]")?.dataset.row : undefined
  return row === undefined ? undefined : Number(row)
}
