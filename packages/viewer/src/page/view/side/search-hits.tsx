import type { JSX } from "preact"
import { useEffect, useRef } from "preact/hooks"
import { VirtualList } from "../../scroll/virtual-list.js"
import { countText, plural } from "../format-values.js"
import { Icon } from "../icons.js"
import { SPEAKER_ICONS, SPEAKER_NAMES } from "../speakers.js"
import type { Viewer } from "../viewer.js"
import { useViewer } from "../viewer-context.js"

export function SearchHits(): JSX.Element {
  const viewer = useViewer()
  const { searching } = viewer
  const { hits, count, isDone, at } = searching
  const list = useRef<VirtualList>(null)
  useEffect(() => {
    if (at >= 0) list.current?.scrollToRow(at, "nearest")
  }, [at])
  const found =
    hits.length < count
      ? `${plural(count, "entry", "entries")}, the first ${countText(hits.length)} here`
      : plural(count, "entry", "entries")
  return (
    <div class="side-body">
      <div class="side-head">
        <h2>Results</h2>
        <span class="faint" role="status">
          {isDone && count === 0 ? "nothing" : `${found}${isDone ? "" : " …"}`}
        </span>
        <button type="button" class="text-button" onClick={() => viewer.clearSearch()}>
          Clear
        </button>
      </div>
      {isDone && count === 0 && <p class="side-empty">No entry of any branch contains this text. Case is ignored.</p>}
      {hits.length > 0 && (
        <VirtualList
          ref={list}
          count={hits.length}
          rows={`${searching.query} ${hits.length}`}
          estimate={() => 62}
          keyOf={(row) => hits[row]?.ordinal ?? row}
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

function Hit({ row }: { readonly row: number }): JSX.Element | null {
  const viewer = useViewer()
  const { session, searching, branch } = viewer
  const hit = searching.hits[row]
  if (!hit || !session) return null
  const { speaker } = session.summary(hit.ordinal)
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
        <Icon name={SPEAKER_ICONS[speaker]} /> {SPEAKER_NAMES[speaker]}
        {!branch.onPath.has(hit.ordinal) && <span class="hit-branch">another branch</span>}
      </span>
      <bdi class="hit-text">
        {hit.before}
        <mark>{hit.match}</mark>
        {hit.after}
      </bdi>
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
