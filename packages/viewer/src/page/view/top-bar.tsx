import type { JSX } from "preact"
import { useRef, useState } from "preact/hooks"
import type { PageSession } from "../session/page-session.js"
import { readableLine } from "../text/readable-text.js"
import { Switch } from "./controls/choices.js"
import { FileButton } from "./controls/file-button.js"
import { IconButton } from "./controls/icon-button.js"
import { Icon } from "./controls/icons.js"
import { ListSteps } from "./controls/list-steps.js"
import { SearchInput } from "./controls/search-input.js"
import { ThemeButton } from "./controls/theme-button.js"
import type { ViewName } from "./state/viewer.js"
import { useViewer } from "./state/viewer-context.js"

export function TopBar(): JSX.Element {
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
        onClick={() => viewer.update({ isPanelOpen: !isPanelOpen })}
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
          onClick={() => viewer.update({ isUsageWanted: !isUsageOpen })}
        />
        {host.agent === undefined && <CopyResume />}
        {viewer.sharing && (
          <IconButton
            icon="share"
            label="Share a copy without secrets"
            onClick={() => viewer.update({ dialog: { kind: "share" } })}
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
        <ThemeButton />
        <IconButton
          icon="help"
          label="Keyboard shortcuts"
          shortcut="?"
          class="wide-only"
          onClick={() => viewer.update({ dialog: { kind: "help" } })}
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

/** Milliseconds for which the button says that it copied. */
const SHOWN_MS = 1_500

/** A button that copies the command line that goes on with the session, where the server of the page has one. */
function CopyResume(): JSX.Element | null {
  const command = document.querySelector<HTMLMetaElement>("meta[name=treelog-session]")?.dataset.resume
  const [isCopied, setCopied] = useState(false)
  if (command === undefined) return null
  const copy = async (): Promise<void> => {
    await navigator.clipboard.writeText(command)
    setCopied(true)
    setTimeout(() => setCopied(false), SHOWN_MS)
  }
  return (
    <IconButton
      icon={isCopied ? "check" : "copy"}
      label={isCopied ? "Copied" : `Copy the resume command: ${command}`}
      onClick={copy}
    />
  )
}

/** Lets the browser download the bytes of the session. */
function saveSession(session: PageSession, name: string): void {
  const url = URL.createObjectURL(new Blob(session.bytes.pieces(), { type: "application/jsonl" }))
  const link = document.createElement("a")
  link.href = url
  link.download = name.endsWith(".jsonl") ? name : `${name}.jsonl`
  link.click()
  // Later, since the browser may not have read it yet.
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}

/** A search starts this time after the last keystroke. Milliseconds. */
const WAIT = 120

function SearchField(): JSX.Element {
  const viewer = useViewer()
  const timer = useRef(0)
  const search = (query: string): void => {
    clearTimeout(timer.current)
    timer.current = window.setTimeout(() => viewer.search(query), WAIT)
    viewer.update({ searchTyped: query, isPanelOpen: query !== "" })
  }
  const press = (event: KeyboardEvent): void => {
    if (event.key === "Enter") viewer.goToHit(event.shiftKey ? -1 : 1, false)
    else if (event.key === "ArrowDown") document.querySelector<HTMLElement>(".hits")?.focus()
    else if (event.key === "Escape") {
      viewer.clearSearch()
      viewer.update({ isPanelOpen: false })
      document.querySelector<HTMLElement>(".main [role=feed]")?.focus()
    } else return
    event.preventDefault()
  }
  return (
    <search class="search-field">
      <SearchInput
        id="search"
        label="Search the session"
        placeholder="Search"
        value={viewer.searchTyped}
        onInput={search}
        onKeyDown={press}
      />
    </search>
  )
}
