import type { JSX } from "preact"
import { Icon } from "./icons.js"
import { useViewer } from "./viewer-context.js"

export function ThemeButton(): JSX.Element {
  const viewer = useViewer()
  const other = viewer.theme === "dark" ? "light" : "dark"
  return (
    <button
      type="button"
      class="icon-button"
      aria-label={`Change to ${other} colours`}
      title={`Change to ${other} colours (d)`}
      onClick={() => viewer.changeTheme()}
    >
      <Icon name={other === "dark" ? "moon" : "sun"} />
    </button>
  )
}
