import { foldText } from "../entry/fold-text.js"
import type { SearchTerm, TextRole } from "../ports/session-index.js"

// A term matches a text in one of two ways. By words: its words stand in the text, one behind the other; of a prefix, the last may go
// on. Or by its characters, which stand anywhere in the text: only in what was said, and only if they are three or more, or if one of
// them is of a script that does not separate words, or a symbol outside ASCII.

/** Results and thoughts are long, and seldom looked for by parts of words: for them an index of words is enough. */
const BY_WORDS_ONLY: ReadonlySet<TextRole> = /* @__PURE__ */ new Set<TextRole>(["thinking", "toolResult"])

/** Whether terms match texts of the role by their characters, too. */
export function isMatchedWithinWords(role: TextRole): boolean {
  return !BY_WORDS_ONLY.has(role)
}

const LEAST_WITHIN_WORDS = 3
/** A character of a script that does not separate words. */
export const WITHOUT_SPACES: RegExp = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u
/** A symbol outside ASCII, such as an emoji or an arrow: one alone is seldom meant otherwise. */
const SYMBOL = /(?![\0-\x7f\ufffd])\p{S}/u
const WORD = /[\p{L}\p{N}\p{M}\p{Co}]+/gu

/** A term as it is compared. */
export interface FoldedTerm {
  readonly words: readonly string[]
  /** What may stand anywhere in a text; undefined if the term matches whole words only. */
  readonly part: string | undefined
  readonly isPrefix: boolean
  readonly isExcluded: boolean
}

/** Undefined for a term that can match nothing: one or two signs that are no part of a word. */
export function foldTerm({ text, isPrefix = false, isExcluded = false }: SearchTerm): FoldedTerm | undefined {
  const folded = foldText(text).trim()
  const words = wordsOf(folded)
  const isLong = [...folded].length >= LEAST_WITHIN_WORDS || WITHOUT_SPACES.test(folded) || SYMBOL.test(folded)
  if (words.length === 0 && !isLong) return undefined
  return { words, part: isLong ? folded : undefined, isPrefix, isExcluded }
}

/** Those of a query that can match, each once. */
export function foldTerms(terms: readonly SearchTerm[] = []): FoldedTerm[] {
  const folded = terms.flatMap((term) => foldTerm(term) ?? [])
  return [...new Map(folded.map((term) => [JSON.stringify(term), term])).values()]
}

/** Whether terms are only signs that can match nothing: they limit no search, which finds everything. */
export function hasOnlySigns(terms: readonly SearchTerm[] = []): boolean {
  return terms.length > 0 && foldTerms(terms).length === 0
}

/** The words of a folded text, as an index of words has them: letters, digits and marks. */
export function wordsOf(folded: string): string[] {
  return folded.match(WORD) ?? []
}

/** Whether a folded text contains all terms, and none that is excluded. */
export function matchesAll(terms: readonly FoldedTerm[], folded: string, role: TextRole): boolean {
  return terms.every((term) => {
    if (term.part !== undefined && isMatchedWithinWords(role) && folded.includes(term.part)) return !term.isExcluded
    return holdsWords(folded, term) !== term.isExcluded
  })
}

/** Where a match of a term ends that begins at a place in a folded text; undefined if none begins there. */
export function endOfMatch(folded: string, at: number, term: FoldedTerm, isWithinWords: boolean): number | undefined {
  if (term.part !== undefined && isWithinWords && folded.startsWith(term.part, at)) return at + term.part.length
  return endOfWords(folded, at, term)
}

/** Whether the words of a term stand in a folded text, one behind the other. Most of a text is never split into words. */
function holdsWords(folded: string, term: FoldedTerm): boolean {
  const [first] = term.words
  if (first === undefined) return false
  for (let at = folded.indexOf(first); at !== -1; at = folded.indexOf(first, at + 1))
    if (endOfWords(folded, at, term) !== undefined) return true
  return false
}

/** Where the words of a term end if the first of them stands at a place in a folded text, and the others behind it. */
function endOfWords(folded: string, at: number, { words, isPrefix }: FoldedTerm): number | undefined {
  const [first, ...others] = words
  if (first === undefined || !folded.startsWith(first, at) || endsWithWord(folded, at)) return undefined
  let end = at + first.length
  for (const word of others) {
    const next = nextWord(folded, end)
    if (next === undefined || !folded.startsWith(word, next)) return undefined
    end = next + word.length
  }
  return isPrefix || !startsWithWord(folded, end) ? end : undefined
}

/** How many words of a folded text begin with a word. */
export function countWordStarts(folded: string, word: string): number {
  let count = 0
  for (let at = folded.indexOf(word); at !== -1; at = folded.indexOf(word, at + word.length))
    if (!endsWithWord(folded, at)) count += 1
  return count
}

/** Where the word begins that follows the one that ends at `end`; undefined if that goes on, or is the last. */
function nextWord(folded: string, end: number): number | undefined {
  let at = end
  while (at < folded.length && !startsWithWord(folded, at)) at += 1
  return at === end || at === folded.length ? undefined : at
}

const WORD_CHARACTER = /^[\p{L}\p{N}\p{M}\p{Co}]/u

/** Whether the character at a place, of which this is the first UTF-16 unit, is part of a word. */
function startsWithWord(folded: string, at: number): boolean {
  if (at >= folded.length) return false
  const unit = folded.charCodeAt(at)
  return unit < 0x80 ? isAsciiWord(unit) : WORD_CHARACTER.test(folded.slice(at, at + 2))
}

/** Whether the character before a place is part of a word. */
function endsWithWord(folded: string, at: number): boolean {
  if (at === 0) return false
  const unit = folded.charCodeAt(at - 1)
  if (unit < 0x80) return isAsciiWord(unit)
  const isLow = unit >= 0xdc00 && unit < 0xe000
  return WORD_CHARACTER.test(isLow ? folded.slice(Math.max(0, at - 2), at) : folded.slice(at - 1, at))
}

function isAsciiWord(unit: number): boolean {
  const lower = unit | 0x20
  return (lower >= 0x61 && lower <= 0x7a) || (unit >= 0x30 && unit <= 0x39)
}
