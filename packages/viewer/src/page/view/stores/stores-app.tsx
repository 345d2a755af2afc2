import type { JSX } from "preact"
import { useEffect, useState } from "preact/hooks"
import { IconButton } from "../controls/icon-button.js"
import { ThemeButton } from "../controls/theme-button.js"
import { ShortcutsDialog } from "../dialog/shortcuts-dialog.js"
import { useChanges } from "../state/use-changes.js"
import { ProjectPanel } from "./project-panel.js"
import { SearchView } from "./search-view.js"
import { SessionsView } from "./sessions-view.js"
import { LIST_SHORTCUTS, useStoresKeys } from "./stores-keys.js"
import type { StoresPage } from "./stores-page.js"
import { UsageView } from "./usage-view.js"

export interface StoresAppProps {
  readonly page: StoresPage
}

export function StoresApp({ page }: StoresAppProps): JSX.Element {
  useChanges(page)
  const [isHelpShown, setHelpShown] = useState(false)
  useStoresKeys(page, () => setHelpShown(true))
  const { section } = page.address
  useEffect(() => {
    if (section === "search") document.querySelector<HTMLElement>("#find")?.focus()
  }, [section])
  return (
    <div class="shell stores" data-panel={page.isPanelOpen ? "open" : "closed"}>
      <StoresBar page={page} />
      <ProjectPanel page={page} />
      <main class="main" aria-label={SECTION_NAMES[section]}>
        {section === "sessions" && <SessionsView page={page} />}
        {section === "search" && <SearchView page={page} />}
        {section === "usage" && <UsageView page={page} />}
      </main>
      {isHelpShown && <ShortcutsDialog shortcuts={LIST_SHORTCUTS} onClose={() => setHelpShown(false)} />}
    </div>
  )
}

const SECTION_NAMES = { sessions: "Sessions", search: "Search", usage: "Usage" } as const

function StoresBar({ page }: StoresAppProps): JSX.Element {
  return (
    <header class="bar">
      <IconButton
        icon="open"
        label="Projects"
        class="panel-button"
        aria-expanded={page.isPanelOpen}
        aria-controls="side"
        onClick={() => page.setPanel(!page.isPanelOpen)}
      />
      <div class="bar-title">
        <h1>Sessions</h1>
        <p class="faint">{page.link.stores.map(({ name }) => name).join(", ")}</p>
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
        <ThemeButton />
      </div>
    </header>
  )
}
