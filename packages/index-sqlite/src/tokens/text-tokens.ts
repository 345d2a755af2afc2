import { foldText } from "@treelog/session-core/session-index"
import { pairsOf, segmentsOf, wordsOf } from "./segments.js"

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
  const odd = new Set<string>()
  splitRuns(text, words, odd)
  const pairs = new Set<string>()
  for (const run of odd)
    for (const segment of wordsOf(foldText(run)).flatMap(segmentsOf)) {
      if (segment.hasSpaces) words.add(segment.text)
      else addPairs(pairs, segment.text, isWithinWords)
    }
  return { words, pairs }
}

/**
 * Splits a text at the ASCII characters that are in no word: what is between them is folded by itself as it is within the text. This is
 * most of the work of an update, and a loop takes a fifth of the time of the pattern of `wordsOf`.
 * @param words takes what is ASCII, folded; `odd` what has other characters, as it is
 */
function splitRuns(text: string, words: Set<string>, odd: Set<string>): void {
  let from = -1
  let kind = LOWER
  for (let at = 0; at <= text.length; at++) {
    const found = at === text.length ? NO_WORD : kindOf(text.charCodeAt(at))
    if (found !== NO_WORD) {
      if (from === -1) from = at
      if (found > kind) kind = found
    } else if (from !== -1) {
      const run = text.slice(from, at)
      if (kind === ODD) odd.add(run)
      else words.add(kind === UPPER ? run.toLowerCase() : run)
      from = -1
      kind = LOWER
    }
  }
}

const NO_WORD = 0
/** Lower case letters and digits. */
const LOWER = 1
const UPPER = 2
const ODD = 3

/** What a UTF-16 unit is. */
function kindOf(code: number): number {
  if (code > 0x7f) return ODD
  if ((code >= 0x61 && code <= 0x7a) || (code >= 0x30 && code <= 0x39)) return LOWER
  return code >= 0x41 && code <= 0x5a ? UPPER : NO_WORD
}

function addPairs(pairs: Set<string>, text: string, isWithinWords: boolean): void {
  for (const pair of pairsOf(text)) pairs.add(pair)
  if (isWithinWords) for (const character of text) pairs.add(character)
}
