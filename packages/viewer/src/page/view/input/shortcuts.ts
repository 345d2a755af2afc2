import type { Viewer } from "../state/viewer.js"
import { useKeys } from "./use-keys.js"

/** The keyboard shortcuts, for the help dialog. */
export const SHORTCUTS: readonly (readonly [keys: string, does: string])[] = [
  ["j / k", "next or previous entry"],
  ["u / U", "next or previous question"],
  ["o", "expand or collapse everything in this entry"],
  ["e", "expand or collapse all thinking and tools"],
  ["[ / ]", "previous or next branch at the nearest fork"],
  ["b", "two branches side by side, or one again"],
  ["/", "search the session"],
  ["n / N", "next or previous hit"],
  ["t", "go to the tree"],
  ["c", "transcript or context"],
  ["g", "show or hide the plot of tokens and cost"],
  ["d", "dark or light"],
  ["Escape", "close the search, dialog, tree or sub-agent"],
  ["?", "show keyboard shortcuts"],
]

export function useShortcuts(viewer: Viewer): void {
  useKeys(viewer, (event) => pressed(viewer, event.key) || (event.target === document.body && pressedInFeed(event)))
}

/**
 * While nothing has the focus, keys go to the list of entries, which gets the focus.
 * @returns whether the key was handled; scrolling is left to the browser
 */
function pressedInFeed({ key, shiftKey }: KeyboardEvent): boolean {
  const feed = document.querySelector<HTMLElement>(FEED)
  if (!feed || !FEED_KEYS.has(key)) return false
  feed.focus({ preventScroll: true })
  return !feed.dispatchEvent(new KeyboardEvent("keydown", { key, shiftKey, cancelable: true }))
}

const FEED = ".main [role=feed]"
const FEED_KEYS = new Set(["Home", "End", "PageUp", "PageDown", " ", "ArrowUp", "ArrowDown", "j", "k", "u", "U", "o"])

/** @returns whether the key was handled */
function pressed(viewer: Viewer, key: string): boolean {
  if (key === "?") viewer.update({ dialog: { kind: "help" } })
  else if (!viewer.session) return false
  else if (key === "/") focusOn(viewer, "#search")
  else if (key === "t") focusOn(viewer, ".tree")
  else if (key === "c") viewer.setView(viewer.view === "transcript" ? "context" : "transcript")
  else if (key === "g") viewer.update({ isUsageWanted: !viewer.isUsageOpen })
  else if (key === "e") viewer.foldAll(!viewer.folds.areAllOpen)
  else if (key === "[" || key === "]") stepBranch(viewer, key === "]" ? 1 : -1)
  else if (key === "b") toggleBeside(viewer)
  else if (key === "n" || key === "N") viewer.goToHit(key === "n" ? 1 : -1)
  else if (key === "Escape") leave(viewer)
  else return false
  return true
}

/** Focuses an element: immediately if possible, since the next key may be meant for it, or after its panel is opened. */
function focusOn(viewer: Viewer, selector: string): void {
  const focus = (): boolean => {
    const wanted = document.querySelector<HTMLElement>(selector)
    wanted?.focus()
    return wanted !== null && document.activeElement === wanted
  }
  if (selector === ".tree") viewer.clearSearch()
  viewer.update({ isPanelOpen: true })
  if (!focus()) requestAnimationFrame(focus)
}

/** Goes to another branch at the current entry, or at the nearest fork above it. */
function stepBranch(viewer: Viewer, step: number): void {
  const { current, branch } = viewer
  const { rows, rowOf } = branch.rows
  const from = current === undefined ? 0 : (rowOf.get(current) ?? 0)
  for (let row = from; row >= 0; row--) {
    const { fork, ordinal } = rows[row] ?? {}
    if (!fork || ordinal === undefined) continue
    viewer.goToBranch(ordinal, step)
    return
  }
  viewer.say("There is no fork above this entry.")
}

/** Shows one branch again, or lets the user choose a second one in the tree. */
function toggleBeside(viewer: Viewer): void {
  if (viewer.branch.beside || viewer.isBesideAwaited) viewer.setBeside(undefined)
  else if (!viewer.session?.hasBranches) viewer.say("The session has only one branch.")
  else {
    focusOn(viewer, ".tree")
    viewer.awaitBeside()
  }
}

function leave(viewer: Viewer): void {
  if (viewer.host.agent !== undefined && !viewer.searching.isOn && !viewer.isPanelOpen) viewer.host.closeAgent?.()
  else if (viewer.searching.isOn) viewer.clearSearch()
  else viewer.update({ isPanelOpen: false })
  document.querySelector<HTMLElement>(FEED)?.focus()
}
