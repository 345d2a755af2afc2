import { foldText, wordsOf } from "@treelog/session-core/search"
import { isSpaced, pairsOf } from "./pairs.js"
import { EMPTY_HASH, HASH_PRIME, hashToSum, LONGEST } from "./token-hash.js"

/** The tokens of a text, each once. */
export interface TextTokens {
  /** Words of scripts that separate them, with a space between two. */
  readonly words: string
  /** Pairs of characters of other scripts, and single ones. */
  readonly pairs: readonly string[]
  /** The sum of `hashToSum` of all tokens. 32 bits. */
  readonly hash: number
}

const NO_WORD = 0
const ODD = 0xff
/** By UTF-16 units: of an ASCII character of words its lower case, of other ASCII `NO_WORD`. */
const CODES: Uint8Array = /* @__PURE__ */ codesOfUnits()
const SPACE = 0x20

/** So many tokens of a text are found by their hashes, or a few less. A power of two. */
const PLACES = 2 ** 17
/** Numbers of each place: two hashes of a token, and the last text that had it. */
const [SECOND, TEXT, FIELDS] = [1, 2, 4]
/** Texts of so many UTF-16 units leave no buffer behind. */
const LONG = 2 ** 20

/**
 * Splits texts into tokens. A word is compared with the earlier ones of its text by 64 bits of hashes, and copied where it is new: most
 * words of a text stand in it several times, and cost no string.
 */
export class TextTokenizer {
  /** A taken place is followed by the next one. What earlier texts have taken is free. */
  readonly #places = new Int32Array(FIELDS * PLACES)
  /** Of the second hash, which decides about places, too: nobody can write words that have the same. Odd. */
  readonly #key = Math.floor(Math.random() * 2 ** 32) | 1
  #buffer = Buffer.alloc(0)
  #text = 0
  /** Of the places that the text uses, of which at least a half stay free. */
  #mask = 0
  #taken = 0
  /** Tokens of the text that have no place. */
  readonly #others = new Set<string>()
  #hash = 0

  /** @param isWithinWords whether terms match the text by its characters, so that each one of scripts without spaces is a token too */
  tokens(text: string, isWithinWords: boolean): TextTokens {
    this.#text += 1
    this.#mask = Math.min(2 ** (33 - Math.clz32(text.length)), PLACES) - 1
    this.#taken = 0
    this.#hash = 0
    this.#others.clear()
    const odd = new Set<string>()
    const plain = this.#plainWords(text, odd)
    const words = plain === "" ? [] : [plain]
    const pairs: string[] = []
    // What is between two of the ASCII characters that are in no word is folded by itself as it is within the text.
    for (const run of odd)
      for (const word of wordsOf(foldText(run))) {
        if (isSpaced(word)) this.#addNew(words, word)
        else for (const pair of isWithinWords ? [...pairsOf(word), ...word] : pairsOf(word)) this.#addNew(pairs, pair)
      }
    return { words: words.join(" "), pairs, hash: this.#hash }
  }

  /**
   * The words of ASCII characters.
   * @param odd takes what has other characters, what is too long for sums, and what has no place, as it is
   */
  #plainWords(text: string, odd: Set<string>): string {
    const words = this.#bufferFor(text.length)
    const key = this.#key
    let [to, from, hash, second, isOdd] = [0, 0, EMPTY_HASH, key, false]
    for (let at = 0; at <= text.length; at++) {
      const code = at === text.length ? NO_WORD : (CODES[text.charCodeAt(at)] as number)
      if (code !== NO_WORD) {
        if (code === ODD) isOdd = true
        hash = Math.imul(hash ^ code, HASH_PRIME)
        second = Math.imul(second ^ code, key)
        continue
      }
      if (at > from) {
        const isNew = isOdd || at - from > LONGEST ? undefined : this.#take(hash, second)
        if (isNew === undefined) odd.add(text.slice(from, at))
        else if (isNew) {
          if (to > 0) words[to++] = SPACE
          for (let unit = from; unit < at; unit++) words[to++] = CODES[text.charCodeAt(unit)] as number
        }
        hash = EMPTY_HASH
        second = key
        isOdd = false
      }
      from = at + 1
    }
    return words.toString("latin1", 0, to)
  }

  #addNew(tokens: string[], token: string): void {
    let [hash, second] = [EMPTY_HASH, this.#key]
    for (let at = 0; at < token.length; at++) {
      hash = Math.imul(hash ^ token.charCodeAt(at), HASH_PRIME)
      second = Math.imul(second ^ token.charCodeAt(at), this.#key)
    }
    const isNew = token.length > LONGEST ? undefined : this.#take(hash, second)
    if (isNew === false || this.#others.has(token)) return
    tokens.push(token)
    if (isNew) return
    this.#others.add(token)
    this.#hash = (this.#hash + hashToSum(token)) | 0
  }

  /** @returns whether the token is new in the text; undefined if it is, or may be, and no place is left */
  #take(hash: number, second: number): boolean | undefined {
    const places = this.#places
    let at = FIELDS * ((second ^ (second >>> 15)) & this.#mask)
    while (places[at + TEXT] === this.#text) {
      if (places[at] === hash && places[at + SECOND] === second) return false
      at = (at + FIELDS) & (FIELDS * this.#mask)
    }
    if (2 * this.#taken > this.#mask) return undefined
    places[at] = hash
    places[at + SECOND] = second
    places[at + TEXT] = this.#text
    this.#taken += 1
    this.#hash = (this.#hash + (hash | 1)) | 0
    return true
  }

  #bufferFor(length: number): Buffer {
    if (length > LONG) return Buffer.allocUnsafe(length)
    if (this.#buffer.length < length) this.#buffer = Buffer.allocUnsafe(2 * length)
    return this.#buffer
  }
}

function codesOfUnits(): Uint8Array {
  const codes = new Uint8Array(2 ** 16).fill(ODD).fill(NO_WORD, 0, 0x80)
  for (const word of "0123456789abcdefghijklmnopqrstuvwxyz")
    for (const character of [word, word.toUpperCase()]) codes[character.charCodeAt(0)] = word.charCodeAt(0)
  return codes
}
