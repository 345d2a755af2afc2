import { type JSX, render } from "preact"
import { pageSource } from "./source/page-source.js"
import { sessionsLink } from "./source/sessions-client.js"
import "./style/page.css"
import { App } from "./view/app.js"
import { ThemeButton } from "./view/controls/theme-button.js"
import { Logo } from "./view/start-screen.js"
import { SessionViews } from "./view/state/session-views.js"
import { StoresApp } from "./view/stores/stores-app.js"
import { StoresPage } from "./view/stores/stores-page.js"

const root = document.getElementById("app")
if (!root) throw new Error("This page lacks the element that everything is drawn in.")
const sessions = sessionsLink()
const missing = document.querySelector<HTMLMetaElement>("meta[name=treelog-missing]")
if (missing) render(<MissingScreen said={missing} />, root)
else if (sessions) showStores(new StoresPage(sessions), root)
else showSession(new SessionViews(), root)

function showStores(page: StoresPage, root: HTMLElement): void {
  document.title = "Sessions"
  render(<StoresApp page={page} />, root)
  page.start()
}

function showSession(views: SessionViews, root: HTMLElement): void {
  render(<App views={views} />, root)
  const source = pageSource()
  if (source) views.open(source)
}

interface MissingScreenProps {
  /** The element in which the server says what is missing, and where its main page is. */
  readonly said: HTMLMetaElement
}

/** The page of an address at which there is nothing. */
function MissingScreen({ said }: MissingScreenProps): JSX.Element {
  const { home, homeName } = said.dataset
  return (
    <div class="start">
      <header class="start-bar">
        <ThemeButton />
      </header>
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
