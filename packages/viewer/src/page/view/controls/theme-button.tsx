import type { JSX } from "preact"
import { useKeys } from "../input/use-keys.js"
import { withStorage } from "../state/browser-storage.js"
import { useRedraw } from "../state/use-changes.js"
import { IconButton } from "./icon-button.js"

const KEY = "treelog-theme"

// Dark or light: as in the system until you choose. The choice is stored if the browser allows it; otherwise it lasts as long as the page.
const system = matchMedia("(prefers-color-scheme: dark)")
let chosen = withStorage("localStorage", (storage) => storage.getItem(KEY))
system.addEventListener("change", applyTheme)
applyTheme()

function theme(): "light" | "dark" {
  if (chosen === "light" || chosen === "dark") return chosen
  return system.matches ? "dark" : "light"
}

function applyTheme(): void {
  document.documentElement.dataset.theme = theme()
}

/** A button that changes the theme of the page, as the key `d` does. */
export function ThemeButton(): JSX.Element {
  const redraw = useRedraw()
  const other = theme() === "dark" ? "light" : "dark"
  const change = (): void => {
    chosen = theme() === "dark" ? "light" : "dark"
    withStorage("localStorage", (storage) => storage.setItem(KEY, theme()))
    applyTheme()
    redraw()
  }
  useKeys(undefined, ({ key }) => {
    if (key !== "d") return false
    change()
    return true
  })
  return (
    <IconButton
      icon={other === "dark" ? "moon" : "sun"}
      label={`Change to ${other} colours`}
      shortcut="d"
      onClick={change}
    />
  )
}
