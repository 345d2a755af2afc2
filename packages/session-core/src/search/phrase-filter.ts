import { foldText } from "../entry/fold-text.js"
import { byteText } from "../log/byte-text.js"
import { decodeText } from "../log/format-line.js"
import type { FoldedTerm } from "./match-text.js"

// Whether the bytes of an entry can have a phrase, without parsing them. An index of words finds many texts that have the words of a phrase
// apart: searching their bytes takes a third of the time of deriving their texts. No byte can stand between words and in one, so that a
// pattern reads each byte a few times at most. The bytes differ from the texts in escapes, in characters
// that are folded, and where a text is made of several strings.

/** UTF-8 of the characters that fold to letters or digits of ASCII or to nothing, and of some others. As `byteText` has it. */
export const FOLDED_TO_ASCII: RegExp =
  /[\xc2-\xc8\xca-\xcd]|\xe1[\xaa\xab\xb4-\xbb]|\xe2(?:[\x81-\x85\x91-\x93\xb1]|\x86[\x80-\x8f])|\xe3[\x89-\x8b\x8d-\x8f]|\xea\x9f|\xef[\xac\xb8\xbc\xbd]|\xf0(?!\x9f[^\x84-\x86\xaf])|[\xf1-\xf4]/g
/** An escape of a character that may be such a one, or that begins a sequence for terminals other than a colour between words. Other controls fold to spaces. */
const ESCAPED = /\\u(?!00[01])|\\u001b(?!\[)|[a-z0-9]\\u001b\[[0-?]*[a-z][a-z0-9]/i
/** Bytes. */
const LONGEST_TESTED = 400_000
/** A text that has a phrase has its first words. With many more, each byte would be compared with all of them. */
const MOST_WORDS = 16
/** Texts have the numbers of arguments, too, which JSON can write in several ways. */
const SEARCHED = /^(?!infinity)[a-z][a-z0-9]*$/
/** JSON of what can stand between words: colours, escapes, and bytes that are no letters and digits of ASCII, but for those in the brackets. */
const between = (but: string): string => `(?:\\\\u001b\\[[0-?]*[a-z]|\\\\(?:u[0-9a-f]{4}|.)|[^a-z0-9\\\\${but}])`

/** What the strings of a JSON object have if one of its texts has a phrase. */
interface PhrasePattern {
  readonly words: readonly string[]
  readonly whole: RegExp
  /** Or else one of the words stands at the end of a string, and one at the start of another. */
  readonly end: RegExp
  /** It has the whole phrase, or a word at the start of a string: most that have neither are excluded by one search. */
  readonly wholeOrStart: RegExp
}

/**
 * A test of the bytes of an entry: false if no text of it matches all terms, since a phrase is in none. Undefined if the terms have no
 * phrase that can be searched for.
 */
export function phraseFilter(terms: readonly FoldedTerm[]): ((bytes: Uint8Array) => boolean) | undefined {
  const patterns = terms
    .filter(({ words, isExcluded }) => words.length > 1 && !isExcluded && words.every((word) => SEARCHED.test(word)))
    .map(({ words }) => patternOf(words.slice(0, MOST_WORDS)))
  if (patterns.length === 0) return undefined
  return (bytes) => {
    // The rest of a text may be in a blob.
    if (bytes.length >= LONGEST_TESTED) return true
    const text = byteText(bytes)
    return patterns.every((pattern) => mayHave(text, pattern)) || (text.includes("\\u") && ESCAPED.test(text))
  }
}

function patternOf(words: readonly string[]): PhrasePattern {
  const whole = words.join(`${between("")}+`)
  const inString = `${between('"')}*`
  const others = `(?:${words.slice(1).join("|")})`
  return {
    words,
    // Looking behind a word instead of before it lets V8 search for the word.
    whole: new RegExp(`${words.at(-1)}(?<=${whole})`, "i"),
    end: new RegExp(`(?:${words.slice(0, -1).join("|")})${inString}"`, "i"),
    wholeOrStart: new RegExp(`${others}(?<=${whole}|(?<!\\\\)"${inString}${others})`, "i"),
  }
}

function mayHave(text: string, { words, whole, end, wholeOrStart }: PhrasePattern): boolean {
  if (wholeOrStart.test(text) && (whole.test(text) || end.test(text))) return true
  let behind = 0
  for (const { index } of text.matchAll(FOLDED_TO_ASCII)) {
    // A word may have very many of them.
    if (index < behind) continue
    const [from, to] = wordAround(text, index)
    const folded = foldedBytes(text.slice(from, to))
    if (words.some((word) => folded.includes(word))) return true
    behind = to
  }
  return false
}

/** Where the letters, digits and everything beyond ASCII around a place begin and end. */
function wordAround(text: string, at: number): [from: number, to: number] {
  let [from, to] = [at, at + 1]
  while (from > 0 && isInWord(text.charCodeAt(from - 1))) from -= 1
  while (to < text.length && isInWord(text.charCodeAt(to))) to += 1
  return [from, to]
}

function isInWord(byte: number): boolean {
  const lower = byte | 0x20
  return byte >= 0x80 || (lower >= 0x61 && lower <= 0x7a) || (byte >= 0x30 && byte <= 0x39)
}

/** Most texts have the same few such words. Longer ones are rarely the same. */
const LONGEST_KEPT = 24
const MOST_KEPT = 4096
const kept = /* @__PURE__ */ new Map<string, string>()

function foldedBytes(text: string): string {
  let folded = kept.get(text)
  if (folded === undefined) {
    folded = foldText(decodeText(Uint8Array.from(text, (byte) => byte.charCodeAt(0))))
    if (kept.size >= MOST_KEPT) kept.clear()
    if (text.length <= LONGEST_KEPT) kept.set(text, folded)
  }
  return folded
}
