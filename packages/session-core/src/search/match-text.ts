import { foldText } from "../entry/fold-text.js"
import type { SearchTerm, TextRole } from "../ports/session-index.js"
import { isSpaced, isWordEdge, wordsBehind, wordsOf } from "./words.js"

// A term matches a text in one of two ways. By words: its words stand in the text, one behind the other; of a prefix, the last may go
// on. Or by its characters, which stand anywhere in the text: only in what was said, and only if they are three or more, or if one of
// them is of a script that does not separate words, or a symbol outside ASCII. The characters of a phrase begin where a
// word does, and only its last word may go on. Two or more characters of such a script, and nothing else, stand anywhere in every text: what is
// written around them is no word either.

/** Results and thoughts are long, and seldom looked for by parts of words: for them an index of words is enough. */
const BY_WORDS_ONLY: ReadonlySet<TextRole> = /* @__PURE__ */ new Set<TextRole>(["thinking", "toolResult"])

/** Whether terms match texts of the role by their characters, too: all terms, or this one. */
export function isMatchedWithinWords(role: TextRole, term?: FoldedTerm): boolean {
  return term?.isUnspaced || !BY_WORDS_ONLY.has(role)
}

const LEAST_WITHIN_WORDS = 3
/** A symbol outside ASCII, such as an emoji or an arrow: one alone is seldom meant otherwise. */
const SYMBOL = /(?![\0-\x7f\ufffd])\p{S}/u

/** A term as it is compared. */
export interface FoldedTerm {
  readonly words: readonly string[]
  /** What may stand anywhere in a text; undefined if the term matches whole words only. */
  readonly part: string | undefined
  /** Whether the part begins where a word does: that of a phrase, whose words have spaces between them. */
  readonly opensWord: boolean
  /** Whether it is two or more characters of a script that does not separate words. */
  readonly isUnspaced: boolean
  readonly isPrefix: boolean
  readonly isExcluded: boolean
}

function isLongEnough(folded: string): boolean {
  return [...folded].length >= LEAST_WITHIN_WORDS || !isSpaced(folded) || SYMBOL.test(folded)
}

const SPACE = /\s/

/** Undefined for a term that can match nothing: one or two signs that are no part of a word. */
export function foldTerm({ text, isPrefix = false, isExcluded = false }: SearchTerm): FoldedTerm | undefined {
  const folded = foldText(text).trim()
  const words = wordsOf(folded)
  const [first = "", last = ""] = [words[0], words.at(-1)]
  const isLong = isLongEnough(folded)
  if (words.length === 0 && !isLong) return undefined
  const opensWord = words.length > 1 && SPACE.test(folded) && folded.startsWith(first) && isSpaced(first)
  // Otherwise its words are where its characters are.
  const canGoOn = !opensWord || (folded.endsWith(last) && isLongEnough(last))
  const isUnspaced = folded === first && !isSpaced(first) && [...first].length > 1
  return { words, part: isLong && canGoOn ? folded : undefined, opensWord, isUnspaced, isPrefix, isExcluded }
}

/** The terms of a query that can match, each once. */
export function foldTerms(terms: readonly SearchTerm[] = []): FoldedTerm[] {
  const folded = terms.flatMap((term) => foldTerm(term) ?? [])
  return [...new Map(folded.map((term) => [JSON.stringify(term), term])).values()]
}

/** Whether terms are only signs that can match nothing: they limit no search, which finds everything. */
export function hasOnlySigns(terms: readonly SearchTerm[] = []): boolean {
  return terms.length > 0 && foldTerms(terms).length === 0
}

/** Whether a folded text contains all terms, and none that is excluded. */
export function matchesAll(terms: readonly FoldedTerm[], folded: string, role: TextRole): boolean {
  return terms.every((term) => {
    if (isMatchedWithinWords(role, term) && !partsIn(folded, term).next().done) return !term.isExcluded
    return !phrasesIn(folded, term).next().done !== term.isExcluded
  })
}

/** Begin and end of a match in a text. UTF-16 units. */
export type MatchRange = readonly [from: number, to: number]

// Each text is read once, whatever is looked for: by the algorithm of Knuth, Morris and Pratt, for units and for words. No pattern is made of
// what a user typed.

/** Up to this length, what V8 searches for takes time in proportion to the text. UTF-16 units. */
const SHORT = 250

/** Where the characters of a text stand in another one: all places, in their order. */
function* placesOf(sought: string, folded: string): Generator<number> {
  if (sought.length > folded.length) return
  if (sought.length <= SHORT) {
    for (let at = folded.indexOf(sought); at !== -1; at = folded.indexOf(sought, at + 1)) yield at
    return
  }
  const borders = bordersOf(sought)
  let held = 0
  for (let at = 0; at < folded.length; at++) {
    held = nextLength(sought, borders, held, folded[at])
    if (held === sought.length) yield at + 1 - held
  }
}

/** Where the characters of a term stand in a folded text. */
export function* partsIn(folded: string, { part, opensWord }: FoldedTerm): Generator<MatchRange> {
  if (part === undefined) return
  for (const at of placesOf(part, folded)) if (!opensWord || isWordEdge(folded, at)) yield [at, at + part.length]
}

/** Where the words of a term stand in a folded text, one behind the other; of a prefix, the last may go on. In their order. */
export function* phrasesIn(folded: string, { words, isPrefix }: FoldedTerm): Generator<MatchRange> {
  const [first] = words
  if (first === undefined || words.length > folded.length) return
  const last = words.length > 1 ? words.at(-1) : undefined
  const borders = bordersOf(words)
  let at = 0
  for (const place of placesOf(first, folded)) {
    if (place < at || !isWordEdge(folded, place)) continue
    at = place + first.length
    if (last === undefined) {
      if (isPrefix || isWordEdge(folded, at)) yield [place, at]
      continue
    }
    /** Where the words begin that were read since `place`. */
    const starts: number[] = []
    let held = 0
    for (const { word, from } of wordsBehind(folded, place)) {
      starts.push(from)
      at = from + word.length
      const start = starts.at(-words.length)
      // Another one may begin within it.
      if (held === words.length) held = borders.at(-1) ?? 0
      const isLast = held === words.length - 1 && (isPrefix ? word.startsWith(last) : word === last)
      if (isLast && start !== undefined) yield [start, from + last.length]
      held = nextLength(words, borders, held, word)
      if (held === 0) break
    }
  }
}

/** For each beginning of a sequence, the length of the longest shorter one that it ends with. */
function bordersOf(sequence: string | readonly string[]): number[] {
  const borders = [0]
  for (let at = 1; at < sequence.length; at++)
    borders.push(nextLength(sequence, borders, borders[at - 1] ?? 0, sequence[at]))
  return borders
}

/** How many items of a sequence were read last, after the next item, where `held` of them were read before it. */
function nextLength(
  sequence: string | readonly string[],
  borders: readonly number[],
  held: number,
  next: string | undefined,
): number {
  let length = held
  while (length > 0 && sequence[length] !== next) length = borders[length - 1] ?? 0
  return sequence[length] === next ? length + 1 : length
}
