import type { JSX } from "preact"
import { useReducer } from "preact/hooks"
import { Icon } from "./icons.js"
import type { Theme, ThemeChoice } from "./theme-choice.js"

/** A button that changes the theme, and the function behind it, for a key. */
export function useThemeButton(theme: ThemeChoice): readonly [button: JSX.Element, change: () => void] {
  const [, redraw] = useReducer((count: number) => count + 1, 0)
  const change = (): void => {
    theme.change()
    redraw(undefined)
  }
  return [<ThemeButton theme={theme.theme} change={change} />, change]
}

interface ThemeButtonProps {
  /** The theme that is shown. */
  readonly theme: Theme
  readonly change: () => void
}

function ThemeButton({ theme, change }: ThemeButtonProps): JSX.Element {
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
