import { useLayoutEffect } from "preact/hooks"
import { clearHighlights, firstRange, highlightHits } from "./highlight-hits.js"

export interface HitHighlights {
  readonly query: string
  /** Returns the range of the current hit, if it is rendered. */
  currentRange(): Range | undefined
}

/** Highlights the matches in a list, including rows and parts that are rendered later. */
export function useHitHighlights(
  listElement: () => Element | null | undefined,
  { query, currentRange }: HitHighlights,
): void {
  useLayoutEffect(() => {
    const element = listElement()
    if (!element || query === "") return undefined
    const mark = (): void => highlightHits(element, query, currentRange())
    mark()
    const changes = new MutationObserver(mark)
    changes.observe(element, { childList: true, characterData: true, subtree: true })
    return () => {
      changes.disconnect()
      clearHighlights()
    }
  })
}

/** The range of a text in an entry. Tool results are rendered within the entry of their call. */
export function rangeOfHit(rendered: Element, ordinal: number, query: string): Range | undefined {
  return firstRange(rendered.querySelector(`[data-entry="${ordinal}"]`) ?? rendered, query)
}
