import type { ComponentChildren, JSX } from "preact"
import { Dialogs } from "../view/dialog/dialogs.js"
import { Failure, ReadingNotes } from "../view/lost.js"
import { TreeView } from "../view/side/tree-view.js"
import { useChanges } from "../view/state/use-changes.js"
import type { Viewer } from "../view/state/viewer.js"
import { ViewerContext } from "../view/state/viewer-context.js"
import { Conversation } from "../view/transcript/conversation.js"
import { UsagePlot } from "../view/usage/usage-plot.js"
import { mountPart } from "./mount-part.js"
import type { Part, PartOptions } from "./part.js"
import { type SessionView, viewerOf } from "./session-view.js"

/** Options of the parts of one session. */
export interface SessionPartOptions extends PartOptions {
  /** The session, which other parts may show too. */
  readonly view: SessionView
}

/**
 * Shows the transcript of a session: the messages of its current branch, with a switch at each fork. It fills the height of its place,
 * and scrolls. The keys `j`, `k`, `u` and `o` go from entry to entry, once it has the focus.
 */
export function mountTranscript(place: Element, options: SessionPartOptions): Part<PartOptions> {
  return mountSessionPart(place, options, "transcript", (viewer) => (
    <>
      <Conversation />
      <Dialogs />
      <p class="notice" role="status">
        {viewer.notice}
      </p>
    </>
  ))
}

/** Shows the tree of a session, with its branches. It fills the height of its place, and scrolls; an entry of it leads the transcript there. */
export function mountTree(place: Element, options: SessionPartOptions): Part<PartOptions> {
  return mountSessionPart(place, options, "tree", () => <TreeView />)
}

/** Shows the tokens and the cost of a session over time. It has a height of its own; a point of it leads the transcript there. */
export function mountSessionUsage(place: Element, options: SessionPartOptions): Part<PartOptions> {
  return mountSessionPart(place, options, "plot", ({ branch }) =>
    branch.usage.length > 1 ? <UsagePlot /> : <p class="side-empty">There is no usage to plot.</p>,
  )
}

type Content = (viewer: Viewer) => ComponentChildren

function mountSessionPart(
  place: Element,
  options: SessionPartOptions,
  name: string,
  content: Content,
): Part<PartOptions> {
  return mountPart(place, name, options, <SessionFrame viewer={viewerOf(options.view)} content={content} />)
}

/** A part of a session, or why there is nothing to show. */
function SessionFrame({ viewer, content }: { readonly viewer: Viewer; readonly content: Content }): JSX.Element {
  useChanges(viewer)
  const { phase } = viewer
  return (
    <ViewerContext.Provider value={viewer}>
      <div class="main">
        {phase.kind === "failed" && <Failure text={phase.message} isBanner />}
        {phase.kind === "reading" && (
          <p class="side-empty" role="status">
            Reading …
          </p>
        )}
        {phase.kind === "shown" && (
          <>
            {content(viewer)}
            <ReadingNotes />
          </>
        )}
      </div>
    </ViewerContext.Provider>
  )
}
