import { askRoutes, idInPath } from "../source/ask-routes.js"
import { fileSource } from "../source/dropped-files.js"
import { liveSource } from "../source/live-source.js"
import type { SessionSource } from "../source/session-source.js"
import type { HostPage } from "../view/state/entry-address.js"
import { Viewer } from "../view/state/viewer.js"
import { type RoutesOptions, routesBase } from "./part.js"

/** A session of routes, which is followed as it grows. */
export interface RoutedSession extends RoutesOptions {
  readonly id: string
  /** The id of a sub-agent of it, whose transcript is shown instead. */
  readonly agent?: string | undefined
}

/** Where a session comes from: routes, or a file with its JSON lines. */
export type ViewedSession = RoutedSession | { readonly file: Blob }

/** Options of `openSessionView`. */
export interface SessionViewOptions {
  /** The id of the entry to go to first. Default: the start of the branch. */
  readonly entryId?: string | undefined
  /** Called with the title, at first and when it changes. Any text without control characters; it is not HTML. */
  readonly onTitle?: ((title: string) => void) | undefined
  /** Called with the id of an entry that the reader went to, for an address of your own. */
  readonly onEntry?: ((entryId: string) => void) | undefined
  /**
   * Called with the id of a sub-agent that the reader opens at the call that began it, to show its transcript. Without this function,
   * calls have no button for that.
   */
  readonly onAgent?: ((agent: string) => void) | undefined
}

/** A session that is read, once for all parts that show it. */
export interface SessionView {
  /**
   * Goes to an entry, on another branch if necessary.
   * @returns whether the session has the entry, as far as it was read
   */
  goTo(entryId: string): boolean
  /** Ends reading, and following. The parts stay as they are. */
  close(): void
}

const viewers = new WeakMap<SessionView, Viewer>()

/** Starts to read a session, for the parts that show it. Faults are shown in the parts. */
export function openSessionView(session: ViewedSession, options: SessionViewOptions = {}): SessionView {
  const viewer = new Viewer(hostPage(options))
  const view: SessionView = {
    goTo: (entryId) => viewer.goToId(entryId),
    close: () => viewer.close(),
  }
  viewers.set(view, viewer)
  viewer.open(sourceOf(session))
  return view
}

/** @throws TypeError for what `openSessionView` has not returned */
export function viewerOf(view: SessionView): Viewer {
  const viewer = viewers.get(view)
  if (!viewer) throw new TypeError("`view` is what openSessionView() returns.")
  return viewer
}

function sourceOf(session: ViewedSession): SessionSource {
  if ("file" in session) return fileSource(session.file)
  const { routes, id, agent, fetch } = session
  const source = liveSource(id, askRoutes(`${routesBase(routes)}sessions/${idInPath(id)}/`, fetch))
  return agent === undefined ? source : source.agents.source(agent)
}

/** A page that hosts parts: it gets the title and the current entry, and has its own address. */
function hostPage({ entryId, onTitle, onEntry, onAgent }: SessionViewOptions): HostPage {
  return {
    setTitle: (title) => onTitle?.(title),
    address: () => ({ entry: entryId }),
    wentTo: ({ entry }) => {
      if (entry !== undefined) onEntry?.(entry)
    },
    hrefOf: () => undefined,
    ...(onAgent && { openAgent: (id) => onAgent(id) }),
  }
}
