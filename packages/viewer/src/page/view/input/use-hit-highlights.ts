import type { foldTerms } from "@treelog/session-core/search"
import { useLayoutEffect } from "preact/hooks"
import { clearHighlights, firstRange, highlightHits } from "./highlight-hits.js"

type FoldedTerm = ReturnType<typeof foldTerms>[number]

export interface HitHighlights {
  readonly terms: readonly FoldedTerm[]
  /** Returns the range of the current hit, if it is rendered. */
  currentRange(): Range | undefined
}

/** Highlights the matches in a list, including rows and parts that are rendered later. */
export function useHitHighlights(
  listElement: () => Element | null | undefined,
  { terms, currentRange }: HitHighlights,
): void {
  useLayoutEffect(() => {
    const element = listElement()
    if (!element || terms.length === 0) return undefined
    const mark = (): void => highlightHits(element, terms, currentRange())
    mark()
    const changes = new MutationObserver(mark)
    changes.observe(element, { childList: true, characterData: true, subtree: true })
    return () => {
      changes.disconnect()
      clearHighlights()
    }
  })
}

/** The range of the first match in an entry. Tool results are rendered within the entry of their call. */
export function rangeOfHit(rendered: Element, ordinal: number, terms: readonly FoldedTerm[]): Range | undefined {
  return firstRange(rendered.querySelector(`[data-entry="${ordinal}"]`) ?? rendered, terms)
}
