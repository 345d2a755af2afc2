import { foldText } from "../entry/fold-text.js"
import type { Snippet, TextRole } from "../ports/session-index.js"
import { type FoldedTerm, isMatchedWithinWords } from "./match-text.js"

const LENGTH = 160
/** The share of a snippet that precedes the first match. */
const BEFORE = 1 / 4
/** Many ASCII characters, to which no marks belong; or one character of any kind, and the marks that belong to it. */
const CLUSTERS = /[\t-\r\x20-\x7e]+(?![^\t-\r\x20-\x7e])|\P{M}\p{M}*|\p{M}+/gu
/** So much of a text is searched for what to show. UTF-16 units. */
const SEARCHED = 1 << 20

/** The part of a text where the terms match first, in one line. `length`: about how long. UTF-16 units. */
export function snippetOf(text: string, terms: readonly FoldedTerm[], role: TextRole, length = LENGTH): Snippet {
  const matches = matchesIn(text, terms, role, length)
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
function matchesIn(text: string, terms: readonly FoldedTerm[], role: TextRole, length: number): MatchRange[] {
  const found: MatchRange[] = []
  for (const range of matchRanges(text.slice(0, SEARCHED), terms, role)) {
    found.push(range)
    if (range[0] > (found[0]?.[0] ?? 0) + 2 * length + LENGTH) break
  }
  return found
}

/** Begin and end of a match in a text. UTF-16 units. */
export type MatchRange = readonly [from: number, to: number]

/** Where the terms that are not excluded match in a text, from its beginning, without overlaps. `role`: of the text, as in a search. */
export function* matchRanges(text: string, terms: readonly FoldedTerm[], role: TextRole): Generator<MatchRange> {
  const sought = terms.filter(({ isExcluded }) => !isExcluded).map((term) => patternOf(term, role))
  if (sought.length === 0) return
  const { folded, offsetOf } = foldedWithOffsets(text)
  for (const match of folded.matchAll(new RegExp(sought.join("|"), "gu"))) {
    const [from, to] = [offsetOf(match.index), offsetOf(match.index + match[0].length)]
    if (to > from) yield [from, to]
  }
}

const NOT_WORD = "[^\\p{L}\\p{N}\\p{M}\\p{Co}]"

function patternOf({ words, part, isPrefix }: FoldedTerm, role: TextRole): string {
  const after = isPrefix ? "" : `(?=${NOT_WORD}|$)`
  const byWords = words.length > 0 ? [`(?<=${NOT_WORD}|^)${words.map(escaped).join(`${NOT_WORD}+`)}${after}`] : []
  const within = part !== undefined && isMatchedWithinWords(role) ? [escaped(part)] : []
  return [...within, ...byWords].join("|")
}

function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&")
}

/** A folded text, and for each of its units where in the text the character stands that it comes from. */
function foldedWithOffsets(text: string): { folded: string; offsetOf(unit: number): number } {
  let folded = ""
  const offsets: number[] = []
  for (const { 0: clusters, index } of text.matchAll(CLUSTERS)) {
    const part = foldText(clusters)
    const isAscii = clusters.charCodeAt(0) < 0x80 && clusters.charCodeAt(clusters.length - 1) < 0x80
    for (let unit = 0; unit < part.length; unit++) offsets.push(isAscii ? index + unit : index)
    folded += part
  }
  offsets.push(text.length)
  return { folded, offsetOf: (unit) => offsets[unit] ?? text.length }
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
