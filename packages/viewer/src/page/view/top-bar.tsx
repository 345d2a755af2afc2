import type { JSX } from "preact"
import { readableLine } from "../text/readable-text.js"
import { Switch } from "./choices.js"
import { CopyResume } from "./copy-resume.js"
import { FileButton } from "./file-button.js"
import { IconButton } from "./icon-button.js"
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
      <IconButton
        icon="tree"
        label="Tree of the session"
        class="panel-button"
        aria-expanded={isPanelOpen}
        aria-controls="side"
        onClick={() => viewer.setPanel(!isPanelOpen)}
      />
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
      <Switch label="View of the branch" value={viewer.view} options={VIEWS} choose={(view) => viewer.setView(view)} />
      <SearchField />
      <div class="bar-buttons">
        <IconButton
          icon="chart"
          label="Plot of tokens and cost"
          shortcut="g"
          aria-pressed={isUsageOpen}
          onClick={() => viewer.setUsage(!isUsageOpen)}
        />
        {host.agent === undefined && <CopyResume />}
        {viewer.sharing && (
          <IconButton
            icon="share"
            label="Share a copy without secrets"
            onClick={() => viewer.show({ kind: "share" })}
          />
        )}
        <IconButton
          icon="save"
          label="Save the session as a file"
          class="wide-only"
          onClick={() => session && saveSession(session, name)}
        />
        {host.agent === undefined && (
          <FileButton class="icon-button" label="Open another session">
            <Icon name="open" />
          </FileButton>
        )}
        {themeButton}
        <IconButton
          icon="help"
          label="Keyboard shortcuts"
          shortcut="?"
          class="wide-only"
          onClick={() => viewer.show({ kind: "help" })}
        />
      </div>
    </header>
  )
}

function BackToSession(): JSX.Element {
  const { host } = useViewer()
  return <IconButton icon="back" label="Back to the session" shortcut="Escape" onClick={() => host.closeAgent?.()} />
}

const VIEWS: readonly (readonly [ViewName, label: string, title: string])[] = [
  ["transcript", "Transcript", "Messages and tool calls on this branch"],
  ["context", "Context", "What the model sees at the end of this branch"],
]
