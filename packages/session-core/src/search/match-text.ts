import { foldText } from "../entry/fold-text.js"
import type { SearchTerm, TextRole } from "../ports/session-index.js"
import { partsIn, phrasesIn } from "./find-term.js"
import { isSpaced, wordsOf } from "./words.js"

// A term matches a text in one of two ways. By words: its words stand in the text, one behind the other; of a prefix, the last may go
// on. Or by its characters, which stand anywhere in the text: only in what was said, and only if they are three or more, or if one of
// them is of a script that does not separate words, or a symbol outside ASCII. Those of a phrase begin where a
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
