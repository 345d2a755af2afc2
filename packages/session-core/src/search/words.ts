const UNSPACED = "\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Hangul}"
/** A character of a script that does not separate words. */
const WITHOUT_SPACES: RegExp = /* @__PURE__ */ new RegExp(`[${UNSPACED}]`, "u")

/** Whether a text has no character of a script that does not separate words. */
export function isSpaced(word: string): boolean {
  return !WITHOUT_SPACES.test(word)
}

const WORD_CHARACTER = /[\p{L}\p{N}\p{M}\p{Co}]/u
/**
 * A word has letters, digits and marks; where characters of a script without spaces begin or end, words do too. Runs of ASCII take no memory for each
 * character: digits of a file can be a word of many megabytes.
 */
const WORDS = /* @__PURE__ */ new RegExp(
  `[${UNSPACED}]+|(?:[a-z0-9]+|(?![${UNSPACED}])[\\p{L}\\p{N}\\p{M}\\p{Co}])+`,
  "gu",
)

/** The words of a folded text. */
export function wordsOf(folded: string): string[] {
  return folded.match(WORDS) ?? []
}

/** The words of a folded text from a place on, at which one begins. */
export function* wordsBehind(folded: string, at: number): Generator<{ readonly word: string; readonly from: number }> {
  for (let end = at; ; ) {
    // Others use the pattern, too, until the next word is asked for.
    WORDS.lastIndex = end
    const found = WORDS.exec(folded)
    if (found === null) return
    end = found.index + found[0].length
    yield { word: found[0], from: found.index }
  }
}

/** How many words of a folded text begin with a word. */
export function countWordStarts(folded: string, word: string): number {
  let count = 0
  for (let at = folded.indexOf(word); at !== -1; at = folded.indexOf(word, at + word.length))
    if (isWordEdge(folded, at)) count += 1
  return count
}

const [NONE, SPACED, UNSPACED_KIND] = [0, 1, 2]

/** Whether a word begins or ends at a place in a folded text, or none is before it. */
export function isWordEdge(folded: string, at: number): boolean {
  const before = kindBefore(folded, at)
  return before === NONE || before !== kindAt(folded, at)
}

function kindBefore(folded: string, at: number): number {
  if (at === 0) return NONE
  const unit = folded.charCodeAt(at - 1)
  return kindAt(folded, unit >= 0xdc00 && unit < 0xe000 ? at - 2 : at - 1)
}

/** Of which kind of word the character at a place is part. */
function kindAt(folded: string, at: number): number {
  if (at >= folded.length) return NONE
  const unit = folded.charCodeAt(at)
  if (unit < 0x80) return isAsciiWord(unit) ? SPACED : NONE
  const character = String.fromCodePoint(folded.codePointAt(at) ?? unit)
  if (WITHOUT_SPACES.test(character)) return UNSPACED_KIND
  return WORD_CHARACTER.test(character) ? SPACED : NONE
}

function isAsciiWord(unit: number): boolean {
  const lower = unit | 0x20
  return (lower >= 0x61 && lower <= 0x7a) || (unit >= 0x30 && unit <= 0x39)
}
