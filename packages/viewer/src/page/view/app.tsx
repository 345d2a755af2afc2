import type { JSX } from "preact"
import { useEffect } from "preact/hooks"
import { droppedFiles } from "../source/dropped-files.js"
import { ContextView } from "./context/context-view.js"
import { Dialogs } from "./dialog/dialogs.js"
import { useShortcuts } from "./input/shortcuts.js"
import { ReadingNotes } from "./lost.js"
import { SearchHits } from "./side/search-hits.js"
import { SideFrame } from "./side/side-frame.js"
import { TreeView } from "./side/tree-view.js"
import { StartScreen } from "./start-screen.js"
import { readViewAddress, writeViewAddress } from "./state/entry-address.js"
import type { SessionViews } from "./state/session-views.js"
import { useChanges } from "./state/use-changes.js"
import type { Viewer } from "./state/viewer.js"
import { useViewer, ViewerContext } from "./state/viewer-context.js"
import { TopBar } from "./top-bar.js"
import { Conversation } from "./transcript/conversation.js"
import { UsagePlot } from "./usage/usage-plot.js"

/** The page of one session. */
export function App({ views }: { readonly views: SessionViews }): JSX.Element {
  const viewer = views.shown
  useChanges(views)
  useChanges(viewer)
  useShortcuts(viewer)
  useAddress(views)
  useDrops(views)
  const { phase } = viewer
  return (
    <ViewerContext.Provider value={viewer}>
      {phase.kind === "shown" ? <Shown key={viewer.host.agent ?? ""} viewer={viewer} /> : <StartScreen />}
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
        {isUsageOpen && !branch.beside && branch.usage.length > 1 && <UsagePlot />}
        {view === "context" ? <ContextView /> : <Conversation />}
        <ReadingNotes />
      </main>
    </div>
  )
}

function skipToEntries(): void {
  document.querySelector<HTMLElement>(".main [role=feed]")?.focus()
}

/** Goes to the entry in the URL when you change the URL or go back. */
function useAddress(views: SessionViews): void {
  useEffect(() => {
    const follow = (): void => {
      views.follow()
      const viewer = views.shown
      if (!viewer.session || location.hash === writeViewAddress(viewer.address.now)) return
      viewer.address.follow(readViewAddress())
    }
    window.addEventListener("hashchange", follow)
    return () => window.removeEventListener("hashchange", follow)
  }, [views])
}

/** Accepts files that are dropped anywhere on the page. */
function useDrops(views: SessionViews): void {
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
      if (event.dataTransfer) await views.openFiles(await droppedFiles(event.dataTransfer))
    }
    window.addEventListener("dragover", over)
    window.addEventListener("dragleave", out)
    window.addEventListener("drop", drop)
    return () => {
      window.removeEventListener("dragover", over)
      window.removeEventListener("dragleave", out)
      window.removeEventListener("drop", drop)
    }
  }, [views])
}

/** The tree of the session, or the results of a search. */
function SidePanel(): JSX.Element {
  const viewer = useViewer()
  const { isOn } = viewer.searching
  return (
    <SideFrame
      label={isOn ? "Search" : "Tree"}
      isOpen={viewer.isPanelOpen}
      close={() => viewer.update({ isPanelOpen: false })}
    >
      {isOn ? <SearchHits /> : <TreeView />}
    </SideFrame>
  )
}
