const NAME = "search"

/** More marks than that nobody sees at once. */
const MOST = 500

/** Colours what is searched where it stands, without touching the document; where a browser cannot do so, nothing is coloured. */
export function markHits(element: Element | null, query: string): void {
  if (typeof Highlight === "undefined" || !CSS.highlights) return
  const wanted = query.toLowerCase()
  if (!element || wanted === "") {
    CSS.highlights.delete(NAME)
    return
  }
  const ranges: Range[] = []
  const texts = document.createTreeWalker(element, NodeFilter.SHOW_TEXT)
  for (let node = texts.nextNode(); node && ranges.length < MOST; node = texts.nextNode()) {
    const text = node.nodeValue?.toLowerCase() ?? ""
    for (
      let at = text.indexOf(wanted);
      at !== -1 && ranges.length < MOST;
      at = text.indexOf(wanted, at + wanted.length)
    ) {
      const range = new Range()
      // Characters whose lower case is longer would lead beyond the end.
      if (at + wanted.length > (node.nodeValue?.length ?? 0)) break
      range.setStart(node, at)
      range.setEnd(node, at + wanted.length)
      ranges.push(range)
    }
  }
  CSS.highlights.set(NAME, new Highlight(...ranges))
}
