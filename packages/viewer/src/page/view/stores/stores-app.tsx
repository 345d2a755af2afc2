import type { JSX } from "preact"
import { useEffect, useReducer } from "preact/hooks"
import { Icon } from "../icons.js"
import { ThemeButton } from "../theme-button.js"
import { ProjectPanel } from "./project-panel.js"
import { SearchView } from "./search-view.js"
import { SessionsView } from "./sessions-view.js"
import { useStoresKeys } from "./stores-keys.js"
import type { StoresPage } from "./stores-page.js"
import { UsageView } from "./usage-view.js"

/** The page of all sessions of some stores. */
export function StoresApp({ page }: { readonly page: StoresPage }): JSX.Element {
  const [, redraw] = useReducer((count: number) => count + 1, 0)
  useEffect(() => page.listen(() => redraw(undefined)), [page])
  useStoresKeys(page)
  const { section } = page.address
  return (
    <div class="shell stores" data-panel={page.isPanelOpen ? "open" : "closed"}>
      <StoresBar page={page} />
      <ProjectPanel page={page} />
      <main class="main" aria-label={SECTION_NAMES[section]}>
        {[...page.faults].map(([store, fault]) => (
          <p key={store} class="failure banner" role="alert">
            <Icon name="warning" />
            <span>
              {store}: {fault}
            </span>
          </p>
        ))}
        {section === "sessions" && <SessionsView page={page} />}
        {section === "search" && <SearchView page={page} />}
        {section === "usage" && <UsageView page={page} />}
      </main>
    </div>
  )
}

const SECTION_NAMES = { sessions: "Sessions", search: "Search", usage: "Usage" } as const

function StoresBar({ page }: { readonly page: StoresPage }): JSX.Element {
  return (
    <header class="bar">
      <button
        type="button"
        class="icon-button panel-button"
        aria-label="Projects"
        aria-expanded={page.isPanelOpen}
        aria-controls="side"
        onClick={() => page.setPanel(!page.isPanelOpen)}
      >
        <Icon name="open" />
      </button>
      <div class="bar-title">
        <h1>Sessions</h1>
        <p class="faint">{page.links.map(({ name }) => name).join(", ")}</p>
      </div>
      <nav class="switch" aria-label="Sections">
        {(["sessions", "search", "usage"] as const).map((section) => (
          <a
            key={section}
            href={page.addressOf(section)}
            aria-current={page.address.section === section ? "page" : undefined}
          >
            {SECTION_NAMES[section]}
          </a>
        ))}
      </nav>
      <div class="bar-buttons">
        <ThemeButton theme={page.theme} change={() => page.changeTheme()} />
      </div>
    </header>
  )
}
