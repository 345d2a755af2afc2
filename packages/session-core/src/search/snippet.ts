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
  const pattern = patternOf(terms, isMatchedWithinWords(role))
  if (pattern === undefined) return
  const { folded, offsetOf } = foldedWithOffsets(text)
  for (const match of folded.matchAll(pattern)) {
    const [from, to] = [offsetOf(match.index), offsetOf(match.index + match[0].length)]
    if (to > from) yield [from, to]
  }
}

/** Compiling a pattern takes longer than finding it: all hits of a search share two. */
const patterns = /* @__PURE__ */ new WeakMap<readonly FoldedTerm[], Map<boolean, RegExp | undefined>>()

function patternOf(terms: readonly FoldedTerm[], isWithinWords: boolean): RegExp | undefined {
  const known = patterns.get(terms) ?? new Map<boolean, RegExp | undefined>()
  patterns.set(terms, known)
  if (!known.has(isWithinWords)) {
    const sources = terms.filter(({ isExcluded }) => !isExcluded).map((term) => sourceOf(term, isWithinWords))
    // A term without words has none where only words match: it would match nothing everywhere.
    const sought = sources.filter((source) => source !== "")
    known.set(isWithinWords, sought.length === 0 ? undefined : new RegExp(sought.join("|"), "gu"))
  }
  return known.get(isWithinWords)
}

const NOT_WORD = "[^\\p{L}\\p{N}\\p{M}\\p{Co}]"

function sourceOf({ words, part, isPrefix }: FoldedTerm, isWithinWords: boolean): string {
  const within = part !== undefined && isWithinWords ? [escaped(part)] : []
  // Where the term is one word, its characters are found wherever the word is.
  if (within.length > 0 && words.length === 1 && words[0] === part) return within.join("|")
  const after = isPrefix ? "" : `(?=${NOT_WORD}|$)`
  const [first, ...others] = words.map(escaped)
  if (first === undefined) return within.join("|")
  // Looking behind the first word instead of before it lets V8 search for the word: that takes a third of the time.
  const start = `${first}(?<=(?:${NOT_WORD}|^)${first})`
  return [...within, `${[start, ...others].join(`${NOT_WORD}+`)}${after}`].join("|")
}

function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&")
}

/** A folded text, and for each of its units where in the text the character stands that it comes from. */
function foldedWithOffsets(text: string): { folded: string; offsetOf(unit: number): number } {
  let folded = ""
  // Where pieces begin, folded and not. A number for each unit took most of the time of a search.
  const units: number[] = []
  const offsets: number[] = []
  for (const { 0: clusters, index } of text.matchAll(CLUSTERS)) {
    units.push(folded.length)
    offsets.push(index)
    folded += foldText(clusters)
  }
  return {
    folded,
    offsetOf: (unit) => {
      if (unit >= folded.length) return text.length
      const piece = lastAtMost(units, unit)
      const offset = offsets[piece] ?? 0
      const end = offsets[piece + 1] ?? text.length
      const isAscii = text.charCodeAt(offset) < 0x80 && text.charCodeAt(end - 1) < 0x80
      return isAscii ? offset + unit - (units[piece] ?? 0) : offset
    },
  }
}

/** The index of the last of some ascending numbers that is not above a limit. */
function lastAtMost(numbers: readonly number[], limit: number): number {
  let [from, to] = [0, numbers.length]
  while (to - from > 1) {
    const middle = (from + to) >> 1
    if ((numbers[middle] ?? 0) <= limit) from = middle
    else to = middle
  }
  return from
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
