import type { JSX } from "preact"
import { Icon } from "./icons.js"
import type { Theme } from "./theme-choice.js"

export interface ThemeButtonProps {
  /** The theme that is shown. */
  readonly theme: Theme
  readonly change: () => void
}

export function ThemeButton({ theme, change }: ThemeButtonProps): JSX.Element {
  const other = theme === "dark" ? "light" : "dark"
  return (
    <button
      type="button"
      class="icon-button"
      aria-label={`Change to ${other} colours`}
      title={`Change to ${other} colours (d)`}
      onClick={change}
    >
      <Icon name={other === "dark" ? "moon" : "sun"} />
    </button>
  )
}
