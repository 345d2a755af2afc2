import { type foldTerms, matchRanges } from "@treelog/session-core/search"

type FoldedTerm = ReturnType<typeof foldTerms>[number]

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
export function highlightHits(element: Element, terms: readonly FoldedTerm[], current: Range | undefined): void {
  if (typeof Highlight === "undefined" || !CSS.highlights) return
  CSS.highlights.set(ALL, new Highlight(...rangesOf(element, terms, MOST)))
  if (current) CSS.highlights.set(CURRENT, new Highlight(current))
  else CSS.highlights.delete(CURRENT)
}

export function clearHighlights(): void {
  if (typeof Highlight === "undefined" || !CSS.highlights) return
  CSS.highlights.delete(ALL)
  CSS.highlights.delete(CURRENT)
}

/** The range of the first match within an element; undefined if there is none. */
export function firstRange(element: Element, terms: readonly FoldedTerm[]): Range | undefined {
  return rangesOf(element, terms, 1)[0]
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
