import { foldText } from "../entry/fold-text.js"
import type { SearchTerm, TextRole } from "../ports/session-index.js"

// A term matches a text in one of two ways. By words: its words stand in the text, one behind the other; of a prefix, the last may go
// on. Or by its characters, which stand anywhere in the text: only in what was said, and only if they are three or more, or if one of
// them is of a script that does not separate words.

/** Results and thoughts are long, and seldom looked for by parts of words: for them an index of words is enough. */
const BY_WORDS_ONLY: ReadonlySet<TextRole> = /* @__PURE__ */ new Set<TextRole>(["thinking", "toolResult"])

/** Whether terms match texts of the role by their characters, too. */
export function isMatchedWithinWords(role: TextRole): boolean {
  return !BY_WORDS_ONLY.has(role)
}

const LEAST_WITHIN_WORDS = 3
/** A character of a script that does not separate words. */
export const WITHOUT_SPACES: RegExp = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u
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
  const isLong = [...folded].length >= LEAST_WITHIN_WORDS || WITHOUT_SPACES.test(folded)
  if (words.length === 0 && !isLong) return undefined
  return { words, part: isLong ? folded : undefined, isPrefix, isExcluded }
}

/** Those of a query that can match. */
export function foldTerms(terms: readonly SearchTerm[] = []): FoldedTerm[] {
  return terms.flatMap((term) => foldTerm(term) ?? [])
}

/** The words of a folded text, as an index of words has them: letters, digits and marks. */
export function wordsOf(folded: string): string[] {
  return folded.match(WORD) ?? []
}

/** Whether a folded text contains all terms, and none that is excluded. */
export function matchesAll(terms: readonly FoldedTerm[], folded: string, role: TextRole): boolean {
  let words: string[] | undefined
  return terms.every((term) => {
    if (term.part !== undefined && isMatchedWithinWords(role) && folded.includes(term.part)) return !term.isExcluded
    words ??= wordsOf(folded)
    return holdsWords(words, term) !== term.isExcluded
  })
}

function holdsWords(words: readonly string[], { words: sought, isPrefix }: FoldedTerm): boolean {
  if (sought.length === 0) return false
  const last = sought.length - 1
  return words.some((_, at) =>
    sought.every((word, index) => {
      const found = words[at + index]
      return found === word || (isPrefix && index === last && found?.startsWith(word) === true)
    }),
  )
}
