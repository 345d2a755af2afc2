import type { JSX } from "preact"
import type { ThemeChoice } from "../state/theme-choice.js"
import { useRedraw } from "../state/use-changes.js"
import { IconButton } from "./icon-button.js"

/** A button that changes the theme, and the function behind it, for a key. */
export function useThemeButton(theme: ThemeChoice): readonly [button: JSX.Element, change: () => void] {
  const redraw = useRedraw()
  const change = (): void => {
    theme.change()
    redraw()
  }
  const other = theme.theme === "dark" ? "light" : "dark"
  const button = (
    <IconButton
      icon={other === "dark" ? "moon" : "sun"}
      label={`Change to ${other} colours`}
      shortcut="d"
      onClick={change}
    />
  )
  return [button, change]
}
