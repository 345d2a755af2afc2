import type { ComponentChildren, JSX } from "preact"
import { Icon, type IconName } from "../controls/icons.js"
import { useRedraw } from "../state/use-changes.js"
import { useViewer } from "../state/viewer-context.js"

/** An entry and a part of it, which identify the state of a fold. */
export interface PartProps {
  readonly ordinal: number
  readonly part: string
}

export interface FoldProps extends PartProps {
  /** Another entry that is shown inside: going to it opens the part. */
  readonly also?: number | undefined
  readonly isOpenAtFirst?: boolean
  readonly class: string
  readonly icon?: IconName
  readonly title: ComponentChildren
  /** What the part has, as one line that is cut. Safe to display. */
  readonly subject?: string
  readonly badge?: ComponentChildren
  /** At the end of the line. */
  readonly fact?: string
  /** Shown below the head, also while it is collapsed. */
  readonly below?: ComponentChildren
  /** Called only while it is open. */
  content(): ComponentChildren
}

/** A collapsible part of an entry. */
export function Fold({ ordinal, part, also, isOpenAtFirst, below, content, ...head }: FoldProps): JSX.Element {
  const { icon, title, subject, badge, fact } = head
  const [isOpen, toggle] = useFold(ordinal, part, [also], isOpenAtFirst)
  return (
    <div class={`fold ${head.class}`} data-open={isOpen}>
      <button type="button" class="fold-head" aria-expanded={isOpen} onClick={toggle}>
        <span class="fold-sign">
          <Icon name="chevron" />
        </span>
        {icon && <Icon name={icon} />}
        <span class="fold-title">{title}</span>
        {subject !== undefined && <bdi class="fold-subject">{subject}</bdi>}
        {badge}
        {fact !== undefined && <span class="fold-fact">{fact}</span>}
      </button>
      {below}
      {isOpen && <div class="fold-content">{content()}</div>}
    </div>
  )
}

/**
 * Whether a part of an entry is open, and a function that opens or closes it.
 * @param also other entries that are shown in the part
 */
export function useFold(
  ordinal: number,
  part: string,
  also?: readonly (number | undefined)[],
  isOpenAtFirst?: boolean,
): readonly [isOpen: boolean, toggle: () => void] {
  const { folds } = useViewer()
  const redraw = useRedraw()
  const isOpen = folds.isOpen(ordinal, part, also, isOpenAtFirst)
  const toggle = (): void => {
    folds.set(ordinal, part, !isOpen)
    redraw()
  }
  return [isOpen, toggle]
}
