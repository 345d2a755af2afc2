import { foldText } from "@treelog/session-core/session-index"
import { pairsOf, segmentsOf, wordsOf } from "./segments.js"

const ASCII = /^[\x20-\x7e]*$/

/** The tokens of a text. */
export interface TextTokens {
  /** Words of scripts that separate them. */
  readonly words: ReadonlySet<string>
  /** Pairs of characters of other scripts, and single ones. */
  readonly pairs: ReadonlySet<string>
}

/**
 * The words of a text for the index: those of scripts that separate words as they are, the others as pairs of characters.
 * @param isWithinWords whether terms match the text by its characters, so that each single one is a token too
 */
export function textTokens(text: string, isWithinWords: boolean): TextTokens {
  const words = new Set<string>()
  const pairs = new Set<string>()
  for (const word of new Set(wordsOf(foldText(text)))) {
    if (ASCII.test(word)) words.add(word)
    else
      for (const segment of segmentsOf(word)) {
        if (segment.hasSpaces) words.add(segment.text)
        else addPairs(pairs, segment.text, isWithinWords)
      }
  }
  return { words, pairs }
}

function addPairs(pairs: Set<string>, text: string, isWithinWords: boolean): void {
  for (const pair of pairsOf(text)) pairs.add(pair)
  if (isWithinWords) for (const character of text) pairs.add(character)
}
