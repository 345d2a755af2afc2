const PLAIN = /^[\t-\r\x20-\x7e]*$/
/** Lone surrogates and NUL. */
const NOT_TEXT = /[\p{Cs}\0]/gu
/** Surrogates of any kind, and NUL: most texts have none. Without `u`, which makes the test slow. */
const MAY_BE_NO_TEXT = /[\ud800-\udfff\0]/
const CONTROLS = /\p{Cc}/gu
/**
 * Combining diacritics, vowels of Hebrew and Arabic, which texts have or leave out, variation selectors, and characters that are not visible within words:
 * soft hyphens, joiners, marks of direction. Combining characters that make a different letter (が, ि) are not included.
 */
const MARKS =
  /[\u0300-\u036f\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe00-\ufe0f\ufe20-\ufe2f\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u0640\u064b-\u065f\u0670\u06d6-\u06dc\u06df-\u06e4\u06e7\u06e8\u06ea-\u06ed\u00ad\u061c\u200c-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f\ufeff]/gu
/** Letters that Unicode does not take apart. */
const LETTERS: Readonly<Record<string, string>> = { ς: "σ", ł: "l", đ: "d", ø: "o", æ: "ae", œ: "oe" }

/** The text without lone surrogates and NUL, which are not text. */
export function replaceNoText(text: string): string {
  return MAY_BE_NO_TEXT.test(text) ? text.replace(NOT_TEXT, "\ufffd") : text
}

/**
 * ASCII but for most controls, and some characters that folding leaves as they are: punctuation, box drawing and signs, kana, Han, Hangul. As
 * in the brackets of a pattern.
 */
export const PLAIN_CHARACTERS =
  "\\t-\\r\\x20-\\x7e\\u2013\\u2014\\u2018-\\u201d\\u203a\\u20ac\\u2500-\\u2775\\u3041-\\u3096\\u30a1-\\u30fc\\u3400-\\u9fff\\uac00-\\ud7a3"
/**
 * What cannot be folded by itself: all other characters, and one before them with which they may compose: kana or Hangul.
 */
const RUNS = /* @__PURE__ */ new RegExp(`[\\u3041-\\ud7a3]?[^${PLAIN_CHARACTERS}]+`, "g")
/** Longer runs are rarely the same. With more characters, V8 would keep the text of a run in memory. */
const LONGEST_KEPT = 12
const MOST_KEPT = 4096
const kept = /* @__PURE__ */ new Map<string, string>()

/**
 * The text without differences of case, accents and width, for comparing in searches (FORMAT.md, section 10). Control characters
 * become spaces.
 */
export function foldText(text: string): string {
  // In most texts a few characters are others: folding these alone takes a third of the time, of which a search of long texts
  // consists.
  const folded = PLAIN.test(text) ? text : text.replace(RUNS, foldKept)
  return folded.toLowerCase().replace(/[\t-\r]/g, " ")
}

function foldKept(run: string): string {
  if (run.length > LONGEST_KEPT) return foldWhole(run)
  let folded = kept.get(run)
  if (folded === undefined) {
    if (kept.size >= MOST_KEPT) kept.clear()
    folded = foldWhole(run)
    kept.set(run, folded)
  }
  return folded
}

/** The definition of `foldText`. */
export function foldWhole(text: string): string {
  return replaceNoText(text)
    .normalize("NFKD")
    .toUpperCase()
    .toLowerCase()
    .replace(MARKS, "")
    .replace(/[ςłđøæœ]/g, (letter) => LETTERS[letter] ?? letter)
    .replace(CONTROLS, " ")
    .normalize("NFC")
}
