import type { JSX } from "preact"
import { useViewer } from "../viewer-context.js"
import { SearchHits } from "./search-hits.js"
import { SideFrame } from "./side-frame.js"
import { TreeView } from "./tree-view.js"

/** The tree of the session, or the results of a search. */
export function SidePanel(): JSX.Element {
  const viewer = useViewer()
  const { isOn } = viewer.searching
  return (
    <SideFrame label={isOn ? "Search" : "Tree"} isOpen={viewer.isPanelOpen} close={() => viewer.setPanel(false)}>
      {isOn ? <SearchHits /> : <TreeView />}
    </SideFrame>
  )
}
