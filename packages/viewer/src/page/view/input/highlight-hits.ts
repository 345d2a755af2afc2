import { type foldTerms, matchRanges } from "@treelog/session-core/search"
import { useLayoutEffect } from "preact/hooks"

type FoldedTerm = ReturnType<typeof foldTerms>[number]

interface HitHighlights {
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
  return rangesOf(rendered.querySelector(`[data-entry="${ordinal}"]`) ?? rendered, terms, 1)[0]
}

/** Names of the CSS highlights. */
const ALL = "search"
const CURRENT = "search-current"

/** The most matches to highlight. */
const MOST = 500

/** Inline elements, across which a match can continue. */
const INLINE = "a, abbr, b, bdi, code, del, em, i, kbd, mark, s, small, span, strong, sub, sup, u"

/**
 * Highlights all matches by the CSS Custom Highlight API, without changing the document. Does nothing in browsers without it.
 * @param current the range of the current hit
 */
function highlightHits(element: Element, terms: readonly FoldedTerm[], current: Range | undefined): void {
  if (typeof Highlight === "undefined" || !CSS.highlights) return
  CSS.highlights.set(ALL, new Highlight(...rangesOf(element, terms, MOST)))
  if (current) CSS.highlights.set(CURRENT, new Highlight(current))
  else CSS.highlights.delete(CURRENT)
}

function clearHighlights(): void {
  if (typeof Highlight === "undefined" || !CSS.highlights) return
  CSS.highlights.delete(ALL)
  CSS.highlights.delete(CURRENT)
}

/** What is matched by whole words only, as in an index. */
const BY_WORDS = ".result, .thinking"

/** Finds matches in each text run, across inline elements. */
function rangesOf(element: Element, terms: readonly FoldedTerm[], most: number): Range[] {
  const ranges: Range[] = []
  for (const nodes of terms.length === 0 ? [] : textRuns(element)) {
    const text = nodes.map(({ data }) => data).join("")
    const role = nodes[0]?.parentElement?.closest(BY_WORDS) ? "toolResult" : "user"
    for (const [from, to] of matchRanges(text, terms, role)) {
      ranges.push(rangeIn(nodes, from, to))
      if (ranges.length >= most) return ranges
    }
  }
  return ranges
}

/** The text nodes of an element, grouped by runs without a block boundary. */
function* textRuns(element: Element): Generator<Text[]> {
  const texts = document.createTreeWalker(element, NodeFilter.SHOW_TEXT, (node) =>
    node.parentElement?.closest(".unseen") ? NodeFilter.FILTER_REJECT : NodeFilter.FILTER_ACCEPT,
  )
  let run: Text[] = []
  let block: Element | null | undefined
  for (let node = texts.nextNode(); node instanceof Text; node = texts.nextNode()) {
    const own = node.parentElement?.closest(`:not(${INLINE})`)
    if (own !== block && run.length > 0) {
      yield run
      run = []
    }
    block = own
    run.push(node)
  }
  if (run.length > 0) yield run
}

function rangeIn(nodes: readonly Text[], from: number, to: number): Range {
  const range = new Range()
  let before = 0
  for (const node of nodes) {
    const after = before + node.length
    if (from >= before && from < after) range.setStart(node, from - before)
    if (to > before && to <= after) range.setEnd(node, to - before)
    before = after
  }
  return range
}
