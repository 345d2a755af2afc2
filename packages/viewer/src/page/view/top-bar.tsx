import type { JSX } from "preact"
import { readableLine } from "../text/readable-text.js"
import { FileButton } from "./file-button.js"
import { Icon } from "./icons.js"
import { ListSteps } from "./list-steps.js"
import { saveSession } from "./save-session.js"
import { SearchField } from "./search-field.js"
import type { ViewName } from "./viewer.js"
import { useViewer } from "./viewer-context.js"

export function TopBar({ themeButton }: { readonly themeButton: JSX.Element }): JSX.Element {
  const viewer = useViewer()
  const { session, phase, isPanelOpen, isUsageOpen, host } = viewer
  const name = phase.kind === "shown" ? phase.name : ""
  return (
    <header class="bar">
      <button
        type="button"
        class="icon-button panel-button"
        aria-label="Tree of the session"
        aria-expanded={isPanelOpen}
        aria-controls="side"
        onClick={() => viewer.setPanel(!isPanelOpen)}
      >
        <Icon name="tree" />
      </button>
      {host.agent === undefined ? <ListSteps /> : <BackToSession />}
      <div class="bar-title">
        <h1>
          <bdi>{readableLine(session?.title ?? "", 120) || "Session"}</bdi>
        </h1>
        <p class="faint">
          {host.agent !== undefined && "Sub-agent · "}
          <bdi>{readableLine(session?.header?.cwd ?? name, 160)}</bdi>
        </p>
      </div>
      <ViewSwitch />
      <SearchField />
      <div class="bar-buttons">
        <button
          type="button"
          class="icon-button"
          aria-pressed={isUsageOpen}
          aria-label="Plot of tokens and cost"
          title="Plot of tokens and cost (g)"
          onClick={() => viewer.setUsage(!isUsageOpen)}
        >
          <Icon name="chart" />
        </button>
        {viewer.sharing && (
          <button
            type="button"
            class="icon-button"
            aria-label="Share a copy without secrets"
            title="Share a copy without secrets"
            onClick={() => viewer.show({ kind: "share" })}
          >
            <Icon name="share" />
          </button>
        )}
        <button
          type="button"
          class="icon-button wide-only"
          aria-label="Save the session as a file"
          title="Save the session as a file"
          onClick={() => session && saveSession(session, name)}
        >
          <Icon name="save" />
        </button>
        {host.agent === undefined && (
          <FileButton class="icon-button" label="Open another session">
            <Icon name="open" />
          </FileButton>
        )}
        {themeButton}
        <button
          type="button"
          class="icon-button wide-only"
          aria-label="Keyboard shortcuts"
          title="Keyboard shortcuts (?)"
          onClick={() => viewer.show({ kind: "help" })}
        >
          <Icon name="help" />
        </button>
      </div>
    </header>
  )
}

function BackToSession(): JSX.Element {
  const { host } = useViewer()
  return (
    <button
      type="button"
      class="icon-button"
      aria-label="Back to the session"
      title="Back to the session (Escape)"
      onClick={() => host.closeAgent?.()}
    >
      <Icon name="back" />
    </button>
  )
}

const VIEWS: readonly (readonly [ViewName, label: string, title: string])[] = [
  ["transcript", "Transcript", "Messages and tool calls on this branch"],
  ["context", "Context", "What the model sees at the end of this branch"],
]

function ViewSwitch(): JSX.Element {
  const viewer = useViewer()
  return (
    <fieldset class="switch" aria-label="View of the branch">
      {VIEWS.map(([view, label, title]) => (
        <button
          type="button"
          key={view}
          title={title}
          aria-pressed={viewer.view === view}
          onClick={() => viewer.setView(view)}
        >
          {label}
        </button>
      ))}
    </fieldset>
  )
}
