import { foldCase } from "../text/fold-case.js"

/** Names of the highlights, which the style sheet colours. */
const ALL = "search"
const CURRENT = "search-current"

/** More marks than that nobody sees at once. */
const MOST = 500

/** Elements that a text goes on across: code has colours, Markdown has words that stand out. */
const INLINE = "a, abbr, b, bdi, code, del, em, i, kbd, mark, s, small, span, strong, sub, sup, u"

/**
 * Colours what is searched where it stands, without touching the document; where a browser cannot do so, nothing is coloured.
 * @param current the place of the hit that one is at
 */
export function highlightHits(element: Element, query: string, current: Range | undefined): void {
  if (typeof Highlight === "undefined" || !CSS.highlights) return
  CSS.highlights.set(ALL, new Highlight(...rangesOf(element, query, MOST)))
  if (current) CSS.highlights.set(CURRENT, new Highlight(current))
  else CSS.highlights.delete(CURRENT)
}

export function clearHighlights(): void {
  if (typeof Highlight === "undefined" || !CSS.highlights) return
  CSS.highlights.delete(ALL)
  CSS.highlights.delete(CURRENT)
}

/** The first place of a text within an element; undefined where it is not shown there. */
export function firstRange(element: Element, query: string): Range | undefined {
  return rangesOf(element, query, 1)[0]
}

/** Each text that reads as one is searched as one, whatever elements it is made of. */
function rangesOf(element: Element, query: string, most: number): Range[] {
  const wanted = foldCase(query)
  const ranges: Range[] = []
  if (wanted === "") return ranges
  for (const nodes of textRuns(element)) {
    const text = foldCase(nodes.map(({ data }) => data).join(""))
    for (let at = text.indexOf(wanted); at !== -1; at = text.indexOf(wanted, at + wanted.length)) {
      ranges.push(rangeIn(nodes, at, at + wanted.length))
      if (ranges.length >= most) return ranges
    }
  }
  return ranges
}

/** The texts of an element, those together that follow on each other in a line. */
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
