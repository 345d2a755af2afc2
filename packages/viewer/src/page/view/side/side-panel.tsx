import type { JSX } from "preact"
import { Icon } from "../icons.js"
import { useViewer } from "../viewer-context.js"
import { SearchHits } from "./search-hits.js"
import { TreeView } from "./tree-view.js"

/** The tree of the session, or the results of a search. */
export function SidePanel(): JSX.Element {
  const viewer = useViewer()
  return (
    <>
      <aside id="side" class="side" aria-label={viewer.searching.isOn ? "Search" : "Tree"}>
        {viewer.searching.isOn ? <SearchHits /> : <TreeView />}
        <button
          type="button"
          class="icon-button side-close"
          aria-label="Close the panel"
          onClick={() => viewer.setPanel(false)}
        >
          <Icon name="close" />
        </button>
      </aside>
      {viewer.isPanelOpen && (
        <button
          type="button"
          class="side-veil"
          tabIndex={-1}
          aria-label="Close the panel"
          onClick={() => viewer.setPanel(false)}
        />
      )}
    </>
  )
}
