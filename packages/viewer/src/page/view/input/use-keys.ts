import { useEffect } from "preact/hooks"

/** Handles keys on the whole page, except in input fields and dialogs. @param press returns whether it has handled the key */
export function useKeys(state: unknown, press: (event: KeyboardEvent) => boolean): void {
  useEffect(() => {
    const listener = (event: KeyboardEvent): void => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return
      if (event.target instanceof HTMLElement && event.target.matches("input, select, textarea")) return
      if (!document.querySelector("dialog[open]") && press(event)) event.preventDefault()
    }
    document.addEventListener("keydown", listener)
    return () => document.removeEventListener("keydown", listener)
  }, [state])
}
