import { useEffect } from "preact/hooks"
import type { StoresPage } from "./stores-page.js"

/** Handles keys on the whole page, except in input fields: `/` goes to the text field, `1` to `3` to a section, `d` changes the colours. */
export function useStoresKeys(page: StoresPage, changeTheme: () => void): void {
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return
      if (event.target instanceof HTMLElement && event.target.matches("input, select")) return
      if (pressed(page, event.key, changeTheme)) event.preventDefault()
    }
    document.addEventListener("keydown", press)
    return () => document.removeEventListener("keydown", press)
  }, [page])
}

/** @returns whether the key was handled */
function pressed(page: StoresPage, key: string, changeTheme: () => void): boolean {
  if (key === "d") changeTheme()
  else if (key === "/") document.querySelector<HTMLElement>("#find")?.focus()
  else if (key === "1") location.hash = page.addressOf("sessions")
  else if (key === "2") location.hash = page.addressOf("search")
  else if (key === "3") location.hash = page.addressOf("usage")
  else if (key === "Escape" && page.isPanelOpen) page.setPanel(false)
  else return false
  return true
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
