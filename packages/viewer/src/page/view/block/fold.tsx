import type { ComponentChildren, JSX } from "preact"
import { useReducer } from "preact/hooks"
import { Icon } from "../icons.js"
import { useViewer } from "../viewer-context.js"

export interface FoldProps {
  /** The entry, and the part of it: whether it is open is remembered under both. */
  readonly ordinal: number
  readonly part: string
  /** Another entry that shows here: going to it opens the part. */
  readonly also?: number | undefined
  readonly class: string
  readonly head: ComponentChildren
  /** Called only where it is open. */
  content(): ComponentChildren
}

/** A part of an entry that can be folded up. */
export function Fold({ ordinal, part, also, head, content, ...rest }: FoldProps): JSX.Element {
  const { folds } = useViewer()
  const [, redraw] = useReducer((count: number) => count + 1, 0)
  const isOpen = folds.isOpen(ordinal, part, also)
  const toggle = (): void => {
    folds.set(ordinal, part, !isOpen)
    redraw(undefined)
  }
  return (
    <div class={`fold ${rest.class}`} data-open={isOpen}>
      <button type="button" class="fold-head" aria-expanded={isOpen} onClick={toggle}>
        <span class="fold-sign">
          <Icon name="chevron" />
        </span>
        {head}
      </button>
      {isOpen && <div class="fold-content">{content()}</div>}
    </div>
  )
}
