import type { JSX } from "preact"
import { useRef } from "preact/hooks"
import { SearchInput } from "./search-input.js"
import { useViewer } from "./viewer-context.js"

/** A search starts this time after the last keystroke. Milliseconds. */
const WAIT = 120

export function SearchField(): JSX.Element {
  const viewer = useViewer()
  const timer = useRef(0)
  const { searching } = viewer
  const search = (query: string): void => {
    clearTimeout(timer.current)
    timer.current = window.setTimeout(() => viewer.search(query), WAIT)
    searching.typed = query
    viewer.setPanel(query !== "")
  }
  const press = (event: KeyboardEvent): void => {
    if (event.key === "Enter") viewer.goToHit(event.shiftKey ? -1 : 1, false)
    else if (event.key === "ArrowDown") document.querySelector<HTMLElement>(".hits")?.focus()
    else if (event.key === "Escape") {
      viewer.clearSearch()
      viewer.setPanel(false)
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
        value={searching.typed}
        onInput={search}
        onKeyDown={press}
      />
    </search>
  )
}
