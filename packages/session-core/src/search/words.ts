const UNSPACED = "\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Hangul}"
/** A character of a script that does not separate words. */
export const WITHOUT_SPACES: RegExp = /* @__PURE__ */ new RegExp(`[${UNSPACED}]`, "u")
const WORD_CHARACTER = /[\p{L}\p{N}\p{M}\p{Co}]/u
/** A word has letters, digits and marks; where characters of a script without spaces begin or end, words do too. */
const WORDS = /* @__PURE__ */ new RegExp(`[${UNSPACED}]+|(?:(?![${UNSPACED}])[\\p{L}\\p{N}\\p{M}\\p{Co}])+`, "gu")

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

/** Whether a word begins or ends at a place in a folded text, or none is beside it. */
export function isWordEdge(folded: string, at: number): boolean {
  const [before, after] = [kindOf(characterBefore(folded, at)), kindOf(folded.codePointAt(at))]
  return before !== after || before === "none"
}

function characterBefore(folded: string, at: number): number | undefined {
  const unit = folded.charCodeAt(at - 1)
  return unit >= 0xdc00 && unit < 0xe000 ? folded.codePointAt(at - 2) : unit
}

function kindOf(code: number | undefined): "none" | "spaced" | "unspaced" {
  if (code === undefined || Number.isNaN(code)) return "none"
  if (code < 0x80) return isAsciiWord(code) ? "spaced" : "none"
  const character = String.fromCodePoint(code)
  if (WITHOUT_SPACES.test(character)) return "unspaced"
  return WORD_CHARACTER.test(character) ? "spaced" : "none"
}

function isAsciiWord(unit: number): boolean {
  const lower = unit | 0x20
  return (lower >= 0x61 && lower <= 0x7a) || (unit >= 0x30 && unit <= 0x39)
}
