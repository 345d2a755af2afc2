import { TREE_FILTERS, type TreeFilter } from "@treelog-internal/text"
import type { JSX } from "preact"
import { useEffect, useRef } from "preact/hooks"
import { VirtualList } from "../../scroll/virtual-list.js"
import { Choice } from "../choices.js"
import { plural } from "../format-values.js"
import { useViewer } from "../viewer-context.js"
import { currentRow } from "./current-row.js"
import { treeClick, treeKey } from "./tree-events.js"
import { ROW_HEIGHT, TreeLine } from "./tree-line.js"

const FILTER_NAMES: Readonly<Record<TreeFilter, string>> = {
  default: "With tools",
  "no-tools": "Conversation",
  "user-only": "Questions",
  "labeled-only": "Labelled",
  all: "Everything",
}

/** The tree of the session, with the chosen branch straight down and the others beside it. */
export function TreeView(): JSX.Element {
  const viewer = useViewer()
  const { session } = viewer
  const { tree, filter } = viewer.branch
  const list = useRef<VirtualList>(null)
  const at = currentRow(viewer)
  const active = tree[at]
  useEffect(() => {
    if (at >= 0) list.current?.scrollToRow(at, "nearest")
  }, [at, tree])
  return (
    <div class="side-body">
      <div class="side-head">
        <h2>Tree</h2>
        <span class="faint">{plural(session?.shownCount ?? 0, "entry", "entries")}</span>
        <Choice
          label="Tree filter"
          value={filter}
          options={TREE_FILTERS.map((one) => [one, FILTER_NAMES[one]])}
          choose={(one) => viewer.setTreeFilter(one)}
        />
      </div>
      {tree.length === 0 ? (
        <p class="side-empty">
          {session?.shownCount === 0 ? "The session has no entries." : "No entry is shown by this filter."}
        </p>
      ) : (
        <VirtualList
          ref={list}
          count={tree.length}
          rows={tree}
          estimate={() => ROW_HEIGHT}
          keyOf={(row) => tree[row]?.ordinal ?? row}
          renderRow={(row) => <TreeLine row={tree[row]} position={row} isCurrent={row === at} />}
          attributes={{
            class: "tree",
            role: "tree",
            tabIndex: 0,
            "aria-label": "Tree of the session",
            ...(active && { "aria-activedescendant": `tree-${active.ordinal}` }),
            onKeyDown: (event) => treeKey(event, viewer),
            onClick: (event) => treeClick(event, viewer),
          }}
        />
      )}
    </div>
  )
}
