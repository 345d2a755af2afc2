import { type JSX, render } from "preact"
import { pageSource } from "./source/page-source.js"
import { sessionsLink } from "./source/sessions-client.js"
import "./style/page.css"
import { App } from "./view/app.js"
import { StartFrame } from "./view/start-screen.js"
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

/** The page of an address at which there is nothing. @param said the element in which the server says what is missing, and where its main page is */
function MissingScreen({ said }: { readonly said: HTMLMetaElement }): JSX.Element {
  const { home, homeName } = said.dataset
  return (
    <StartFrame title="Not found">
      <p class="start-lead">{said.content}</p>
      {home !== undefined && (
        <a class="button primary" href={home}>
          {homeName}
        </a>
      )}
    </StartFrame>
  )
}
