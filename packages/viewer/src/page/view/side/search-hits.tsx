import type { JSX } from "preact"
import { useEffect, useRef } from "preact/hooks"
import { VirtualList } from "../../scroll/virtual-list.js"
import { SPEAKER_NAMES } from "../../session/entry-summary.js"
import { readableLine } from "../../text/readable-text.js"
import { Icon } from "../controls/icons.js"
import { SnippetText } from "../controls/snippet-text.js"
import { numberText, plural } from "../format-values.js"
import type { Searching } from "../state/searching.js"
import type { Viewer } from "../state/viewer.js"
import { useViewer } from "../state/viewer-context.js"

export function SearchHits(): JSX.Element {
  const viewer = useViewer()
  const { searching } = viewer
  const { hits, at, fault } = searching
  const list = useRef<VirtualList>(null)
  useEffect(() => {
    if (at >= 0) list.current?.scrollToRow(at, "nearest")
  }, [at])
  return (
    <div class="side-body">
      <div class="side-head">
        <h2>Results</h2>
        <span class="faint" role="status">
          {fault === undefined && foundText(searching)}
        </span>
        <button type="button" class="text-button" onClick={() => viewer.clearSearch()}>
          Clear
        </button>
      </div>
      <SearchNotes searching={searching} />
      {hits.length > 0 && (
        <VirtualList
          ref={list}
          count={hits.length}
          rows={hits}
          estimate={() => 62}
          keyOf={(row) => hits[row] ?? row}
          renderRow={(row) => <Hit row={row} />}
          attributes={{
            class: "hits",
            role: "listbox",
            tabIndex: 0,
            "aria-label": "Search results",
            ...(at >= 0 && { "aria-activedescendant": `hit-${at}` }),
            onKeyDown: (event) => hitKey(event, viewer),
            onClick: ({ target }) => {
              const pressed = target instanceof Element ? target.closest<HTMLElement>(".hit") : null
              if (pressed) viewer.goToHitAt(Number(pressed.dataset.row), false)
            },
          }}
        />
      )}
    </div>
  )
}

function foundText({ count, hits, isDone }: Searching): string {
  if (isDone && count === 0) return "nothing"
  const most = hits.length < count ? `, the first ${numberText(hits.length)} here` : ""
  return `${plural(count, "entry", "entries")}${most}${isDone ? "" : " …"}`
}

/** Why there are no results: an invalid query, or that nothing matches. */
function SearchNotes({ searching }: { readonly searching: Searching }): JSX.Element | null {
  const { fault, isDone, count } = searching
  if (fault !== undefined) return <p class="side-empty">{readableLine(fault, 400)}</p>
  if (!isDone || count > 0) return null
  return (
    <p class="side-empty">
      No entry of any branch matches. Thinking and results of tools are found by whole words; <code>word*</code> finds
      those that begin with it.
    </p>
  )
}

function Hit({ row }: { readonly row: number }): JSX.Element | null {
  const viewer = useViewer()
  const { session, searching, branch } = viewer
  const ordinal = searching.hits[row]
  if (ordinal === undefined || !session) return null
  const { speaker } = session.summary(ordinal)
  return (
    <div
      id={`hit-${row}`}
      class="hit"
      role="option"
      aria-selected={row === searching.at}
      aria-posinset={row + 1}
      aria-setsize={searching.hits.length}
      data-row={row}
      tabIndex={-1}
    >
      <span class="hit-who">
        <Icon name={speaker} /> {SPEAKER_NAMES[speaker]}
        {!branch.onPath.has(ordinal) && <span class="hit-branch">another branch</span>}
      </span>
      <SnippetText ordinal={ordinal} class="hit-text" />
    </div>
  )
}

function hitKey(event: KeyboardEvent, viewer: Viewer): void {
  if (event.key === "ArrowDown") viewer.goToHit(1, false, true)
  else if (event.key === "ArrowUp") viewer.goToHit(-1, false, true)
  else if (event.key === "Enter") viewer.goToHitAt(Math.max(0, viewer.searching.at), true)
  else if (event.key === "Escape") viewer.clearSearch()
  else return
  event.preventDefault()
  event.stopPropagation()
}
