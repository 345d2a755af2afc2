import { foldText, PLAIN_CHARACTERS } from "../entry/fold-text.js"
import type { Snippet, TextRole } from "../ports/session-index.js"
import { type FoldedTerm, isMatchedWithinWords, type MatchRange, partsIn, phrasesIn } from "./match-text.js"

const LENGTH = 160
/** The share of a snippet that precedes the first match. */
const BEFORE = 1 / 4
/** Many plain characters, to which no marks belong; or one character of any kind, and the marks that belong to it. */
const CLUSTERS = /* @__PURE__ */ new RegExp(
  `[${PLAIN_CHARACTERS}]+(?![^${PLAIN_CHARACTERS}])|\\P{M}[\\p{M}\\p{Cf}]*|\\p{M}+`,
  "gu",
)
/** Of a piece that `CLUSTERS` found, the last character is plain if all are. */
const PLAIN = /* @__PURE__ */ new RegExp(`[${PLAIN_CHARACTERS}]`)
/** Characters that can be folded to one with those before them: letters of Hangul, and the marks of narrow kana. */
const COMPOSED = /[\u1100-\u11ff\u3131-\u318e\uff9e-\uffdc]/
/** So much of a text is searched for what to show. UTF-16 units. */
const SEARCHED = 1 << 20

/**
 * The part of a text where the terms match first, in one line.
 * @param length about how long. UTF-16 units
 * @param folded the text, folded, where that is known
 */
export function snippetOf(
  text: string,
  terms: readonly FoldedTerm[],
  role: TextRole,
  length: number = LENGTH,
  folded?: string,
): Snippet {
  const matches = matchesIn(text, terms, role, length, folded)
  const first = matches[0]?.[0] ?? 0
  const from = first <= length / 2 ? 0 : wordStart(text, first - Math.floor(length * BEFORE), first)
  const to = text.length <= from + length ? text.length : wordEnd(text, from + length)
  const shown = matches
    .filter(([begin]) => begin < to)
    .map(([begin, end]) => [begin - from, Math.min(end, to) - from] as const)
  // Each line break and tab is a space, so that no position changes.
  const line = text.slice(from, to).replace(/\s/gu, " ")
  return { text: line, matches: shown, isCutBefore: from > 0, isCutAfter: to < text.length }
}

/** Where the terms match, as far as a snippet of this length shows. */
function matchesIn(
  text: string,
  terms: readonly FoldedTerm[],
  role: TextRole,
  length: number,
  folded: string | undefined,
): MatchRange[] {
  const found: MatchRange[] = []
  const ranges =
    text.length > SEARCHED ? matchRanges(text.slice(0, SEARCHED), terms, role) : matchRanges(text, terms, role, folded)
  for (const range of ranges) {
    found.push(range)
    if (range[0] > (found[0]?.[0] ?? 0) + 2 * length + LENGTH) break
  }
  return found
}

/**
 * Where the terms that are not excluded match in a text, from its beginning, without overlaps.
 * @param role of the text, as in a search
 * @param folded the text, folded, where that is known
 */
export function* matchRanges(
  text: string,
  terms: readonly FoldedTerm[],
  role: TextRole,
  folded?: string,
): Generator<MatchRange> {
  const searched = COMPOSED.test(text) ? foldedByClusters(text) : (folded ?? foldText(text))
  const offsets = new FoldedOffsets(text)
  let at = 0
  for (const [begin, end] of inOrder(terms.flatMap((term) => placesOfTerm(searched, term, role)))) {
    if (begin < at) continue
    at = end
    const [from, to] = [offsets.of(begin), offsets.of(end)]
    if (to > from) yield [from, to]
  }
}

function placesOfTerm(searched: string, term: FoldedTerm, role: TextRole): Iterator<MatchRange>[] {
  if (term.isExcluded) return []
  const phrases = phrasesIn(searched, term)
  return isMatchedWithinWords(role, term) ? [partsIn(searched, term), phrases] : [phrases]
}

/** The ranges of all lists, by where they begin; of one place, in the order of the lists. */
function* inOrder(lists: readonly Iterator<MatchRange, void>[]): Generator<MatchRange> {
  const heads = lists.map((list) => list.next().value)
  for (;;) {
    let first: number | undefined
    for (const [at, head] of heads.entries())
      if (head && (first === undefined || head[0] < (heads[first]?.[0] ?? 0))) first = at
    const range = first === undefined ? undefined : heads[first]
    if (first === undefined || !range) return
    yield range
    heads[first] = lists[first]?.next().value
  }
}

function foldedByClusters(text: string): string {
  return text.replace(CLUSTERS, (cluster) => foldText(cluster))
}

/** Where in a text the characters stand that the units of the folded text come from. Reads no more of the text than it needs. */
class FoldedOffsets {
  readonly #text: string
  readonly #clusters: Iterator<RegExpExecArray>
  /** The piece that was reached: where it begins and ends in the folded text, and where it begins in the text. */
  #unit = 0
  #unitEnd = 0
  #offset = 0
  #isPlain = true

  constructor(text: string) {
    this.#text = text
    this.#clusters = text.matchAll(CLUSTERS)
  }

  /** @param unit of the folded text; not before the one that was asked for last */
  of(unit: number): number {
    while (unit >= this.#unitEnd) {
      const { value, done } = this.#clusters.next()
      if (done) return this.#text.length
      const [piece] = value
      this.#isPlain = PLAIN.test(piece.slice(-1))
      this.#unit = this.#unitEnd
      this.#unitEnd += this.#isPlain ? piece.length : foldText(piece).length
      this.#offset = value.index
    }
    return this.#isPlain ? this.#offset + unit - this.#unit : this.#offset
  }
}

/** The beginning of a word near a place, not behind `latest`, and never within a character. */
function wordStart(text: string, near: number, latest: number): number {
  const space = text.slice(near, latest).search(/\s\S/u)
  return space === -1 ? boundary(text, near) : near + space + 1
}

function wordEnd(text: string, near: number): number {
  const space = text.slice(near, near + LENGTH / 4).search(/\s/u)
  return space === -1 ? boundary(text, near) : near + space
}

function boundary(text: string, at: number): number {
  const code = text.charCodeAt(at)
  return code >= 0xdc00 && code < 0xe000 ? at - 1 : at
}
