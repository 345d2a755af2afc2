import type { JSX } from "preact"
import { Logo } from "./start-screen.js"
import { useThemeButton } from "./theme-button.js"
import type { ThemeChoice } from "./theme-choice.js"

export interface MissingScreenProps {
  /** The element in which the server says what is missing, and where its main page is. */
  readonly said: HTMLMetaElement
  readonly theme: ThemeChoice
}

/** The page of an address at which there is nothing. */
export function MissingScreen({ said, theme }: MissingScreenProps): JSX.Element {
  const [themeButton] = useThemeButton(theme)
  const { home, homeName } = said.dataset
  return (
    <div class="start">
      <header class="start-bar">{themeButton}</header>
      <main class="start-main">
        <Logo />
        <h1>Not found</h1>
        <p class="start-lead">{said.content}</p>
        {home !== undefined && (
          <a class="button primary" href={home}>
            {homeName}
          </a>
        )}
      </main>
    </div>
  )
}
