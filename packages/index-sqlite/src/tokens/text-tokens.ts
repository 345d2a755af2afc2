import { foldText } from "@treelog/session-core/session-index"
import type { AsciiWords } from "./ascii-words.js"
import { pairsOf, segmentsOf, wordsOf } from "./segments.js"

/** The tokens of a text. */
export interface TextTokens {
  /** Words of scripts that separate them. */
  readonly words: readonly string[]
  /** Pairs of characters of other scripts, and single ones. */
  readonly pairs: ReadonlySet<string>
}

/**
 * The words of a text for the index: those of scripts that separate words as they are, the others as pairs of characters. A word may come
 * twice where characters beyond ASCII are folded.
 * @param isWithinWords whether terms match the text by its characters, so that each single one is a token too
 */
export function textTokens(ascii: AsciiWords, text: string, isWithinWords: boolean): TextTokens {
  const odd = new Set<string>()
  const words = ascii.split(text, odd)
  const pairs = new Set<string>()
  // What is between two of the ASCII characters that are in no word is folded by itself as it is within the text.
  for (const run of odd)
    for (const segment of wordsOf(foldText(run)).flatMap(segmentsOf)) {
      if (segment.hasSpaces) words.push(segment.text)
      else addPairs(pairs, segment.text, isWithinWords)
    }
  return { words, pairs }
}

function addPairs(pairs: Set<string>, text: string, isWithinWords: boolean): void {
  for (const pair of pairsOf(text)) pairs.add(pair)
  if (isWithinWords) for (const character of text) pairs.add(character)
}
