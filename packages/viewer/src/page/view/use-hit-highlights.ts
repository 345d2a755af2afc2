import { useLayoutEffect } from "preact/hooks"
import { clearHighlights, firstRange, highlightHits } from "./highlight-hits.js"

export interface HitHighlights {
  readonly query: string
  /** Finds the rendered place of the hit that one is at. */
  currentRange(): Range | undefined
}

/** Colours what is searched in a list, also in rows and parts of them that come in sight later. */
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

/** Where a text stands in what an entry says: a tool's result is rendered within the entry that called it. */
export function rangeOfHit(rendered: Element, ordinal: number, query: string): Range | undefined {
  return firstRange(rendered.querySelector(`[data-entry="${ordinal}"]`) ?? rendered, query)
}
