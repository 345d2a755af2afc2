import type { JSX } from "preact"
import { useEffect, useReducer } from "preact/hooks"
import type { Reading } from "../session/read-session.js"
import { droppedFiles } from "../source/dropped-files.js"
import { ContextView } from "./context/context-view.js"
import { Dialogs } from "./dialog/dialogs.js"
import { addressedId } from "./entry-address.js"
import { Icon } from "./icons.js"
import { useShortcuts } from "./shortcuts.js"
import { SidePanel } from "./side/side-panel.js"
import { StartScreen } from "./start-screen.js"
import { TopBar } from "./top-bar.js"
import { Transcript } from "./transcript/transcript.js"
import { UsagePlot } from "./usage/usage-plot.js"
import type { Viewer } from "./viewer.js"
import { ViewerContext } from "./viewer-context.js"

export function App({ viewer }: { readonly viewer: Viewer }): JSX.Element {
  const [, redraw] = useReducer((count: number) => count + 1, 0)
  useEffect(() => viewer.listen(() => redraw(undefined)), [viewer])
  useShortcuts(viewer)
  useAddress(viewer)
  useDrops(viewer)
  const { phase } = viewer
  return (
    <ViewerContext.Provider value={viewer}>
      {phase.kind === "shown" ? <Shown viewer={viewer} /> : <StartScreen />}
      <Dialogs />
      <p class="notice" role="status">
        {viewer.notice}
      </p>
    </ViewerContext.Provider>
  )
}

function Shown({ viewer }: { readonly viewer: Viewer }): JSX.Element {
  const { view, isUsageOpen, branch } = viewer
  return (
    <div class="shell" data-panel={viewer.isPanelOpen ? "open" : "closed"}>
      <button type="button" class="skip" onClick={skipToEntries}>
        Skip to the conversation
      </button>
      <TopBar />
      <SidePanel />
      <main class="main" aria-label={view === "transcript" ? "Transcript" : "Context"}>
        <Lost viewer={viewer} />
        {isUsageOpen && branch.usage.length > 1 && <UsagePlot />}
        {view === "transcript" ? <Transcript /> : <ContextView />}
      </main>
    </div>
  )
}

/** The message when the source of the session is lost. */
function Lost({ viewer: { phase } }: { readonly viewer: Viewer }): JSX.Element | null {
  const text = phase.kind === "shown" ? lostText(phase.reading) : undefined
  if (text === undefined) return null
  return (
    <p class="failure banner" role="alert">
      <Icon name="warning" />
      <span>{text}</span>
    </p>
  )
}

function lostText({ state, fault }: Reading): string | undefined {
  if (state === "gone") return "The session was removed. This is its last state."
  if (state === "no-answer") return "No connection to treelog: new entries are not shown. Trying again …"
  return state === "broken" ? `${fault} Everything read so far is shown.` : undefined
}

function skipToEntries(): void {
  document.querySelector<HTMLElement>(".main [role=feed]")?.focus()
}

/** Goes to the entry in the URL when you change the URL or go back. */
function useAddress(viewer: Viewer): void {
  useEffect(() => {
    const follow = (): void => {
      const id = addressedId()
      if (id !== undefined && !viewer.goToId(id) && viewer.session)
        viewer.say("There is no such entry in this session.")
    }
    window.addEventListener("hashchange", follow)
    return () => window.removeEventListener("hashchange", follow)
  }, [viewer])
}

/** Accepts files that are dropped anywhere on the page. */
function useDrops(viewer: Viewer): void {
  useEffect(() => {
    const body = document.body
    const over = (event: DragEvent): void => {
      event.preventDefault()
      body.dataset.drop = "over"
    }
    const out = (event: DragEvent): void => {
      if (event.relatedTarget === null) delete body.dataset.drop
    }
    const drop = async (event: DragEvent): Promise<void> => {
      event.preventDefault()
      delete body.dataset.drop
      if (event.dataTransfer) await viewer.openFiles(await droppedFiles(event.dataTransfer))
    }
    window.addEventListener("dragover", over)
    window.addEventListener("dragleave", out)
    window.addEventListener("drop", drop)
    return () => {
      window.removeEventListener("dragover", over)
      window.removeEventListener("dragleave", out)
      window.removeEventListener("drop", drop)
    }
  }, [viewer])
}
