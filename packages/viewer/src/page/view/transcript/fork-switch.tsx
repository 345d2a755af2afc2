import type { JSX } from "preact"
import type { Fork } from "../../session/branch-path.js"
import { Icon } from "../icons.js"
import { useViewer } from "../viewer-context.js"

/** Buttons for the other branches that start here. */
export function ForkSwitch({ ordinal, fork }: { readonly ordinal: number; readonly fork: Fork }): JSX.Element {
  const viewer = useViewer()
  const { branches, at } = fork
  return (
    <span class="fork">
      <button
        type="button"
        class="icon-button small back"
        aria-label="Previous branch"
        title="Previous branch ([)"
        onClick={() => viewer.goToBranch(ordinal, -1)}
      >
        <Icon name="chevron" />
      </button>
      <span>
        <span class="unseen">Branch </span>
        {at + 1} of {branches.length}
      </span>
      <button
        type="button"
        class="icon-button small"
        aria-label="Next branch"
        title="Next branch (])"
        onClick={() => viewer.goToBranch(ordinal, 1)}
      >
        <Icon name="chevron" />
      </button>
      <button
        type="button"
        class="icon-button small"
        aria-label="Show both side by side"
        title="Side by side (b)"
        onClick={() => viewer.setBeside(branches[(at + 1) % branches.length])}
      >
        <Icon name="columns" />
      </button>
    </span>
  )
}
