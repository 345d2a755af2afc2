import type { JSX } from "preact"
import type { Fork } from "../../session/branch-path.js"
import { IconButton } from "../icon-button.js"
import { useViewer } from "../viewer-context.js"

/** Buttons for the other branches that start here. */
export function ForkSwitch({ ordinal, fork }: { readonly ordinal: number; readonly fork: Fork }): JSX.Element {
  const viewer = useViewer()
  const { branches, at } = fork
  return (
    <span class="fork">
      <IconButton
        icon="chevron"
        label="Previous branch"
        shortcut="["
        class="small back"
        onClick={() => viewer.goToBranch(ordinal, -1)}
      />
      <span>
        <span class="unseen">Branch </span>
        {at + 1} of {branches.length}
      </span>
      <IconButton
        icon="chevron"
        label="Next branch"
        shortcut="]"
        class="small"
        onClick={() => viewer.goToBranch(ordinal, 1)}
      />
      <IconButton
        icon="columns"
        label="Show both side by side"
        shortcut="b"
        class="small"
        onClick={() => viewer.setBeside(branches[(at + 1) % branches.length])}
      />
    </span>
  )
}
