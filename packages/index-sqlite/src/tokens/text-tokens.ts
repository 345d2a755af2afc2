import { foldText, wordsOf } from "@treelog/session-core/search"
import type { AsciiWords } from "./ascii-words.js"
import { isSpaced, pairsOf } from "./pairs.js"
import { hashToSum } from "./token-hash.js"

/** The tokens of a text, each once. */
export interface TextTokens {
  /** Words of scripts that separate them. */
  readonly words: readonly string[]
  /** Pairs of characters of other scripts, and single ones. */
  readonly pairs: ReadonlySet<string>
  /** The sum of `hashToSum` of all tokens. 32 bits. */
  readonly hash: number
}

const NONE: ReadonlySet<string> = new Set()

/**
 * The words of a text for the index: those of scripts that separate words as they are, the others as pairs of characters.
 * @param isWithinWords whether terms match the text by its characters, so that each single one is a token too
 */
export function textTokens(ascii: AsciiWords, text: string, isWithinWords: boolean): TextTokens {
  const odd = new Set<string>()
  const plain = ascii.split(text, odd)
  if (odd.size === 0) return { words: plain, pairs: NONE, hash: ascii.hash }
  const words = new Set(plain)
  const pairs = new Set<string>()
  // What is between two of the ASCII characters that are in no word is folded by itself as it is within the text.
  for (const run of odd)
    for (const word of wordsOf(foldText(run))) {
      if (isSpaced(word)) words.add(word)
      else addPairs(pairs, word, isWithinWords)
    }
  let hash = 0
  for (const token of [...words, ...pairs]) hash = (hash + hashToSum(token)) | 0
  return { words: [...words], pairs, hash }
}

function addPairs(pairs: Set<string>, text: string, isWithinWords: boolean): void {
  for (const pair of pairsOf(text)) pairs.add(pair)
  if (isWithinWords) for (const character of text) pairs.add(character)
}
