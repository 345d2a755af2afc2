import { foldText, isSpaced, wordsOf } from "@treelog/session-core/search"
import { Neighbours } from "./neighbours.js"
import { pairsOf } from "./pairs.js"
import { EMPTY_HASH, HASH_PRIME, hashOf } from "./token-hash.js"

/** The tokens of a text, each once. */
export interface TextTokens {
  /** Words of scripts that separate them, with a space between two. */
  readonly words: string
  /** Pairs of characters of other scripts, and single ones, with a space between two. */
  readonly pairs: string
  /** Which words stand beside each other, until the next text is split; undefined if there are no two. */
  readonly neighbours: Uint8Array | undefined
}

const NO_WORD = 0
const ODD = 0xff
/** By UTF-16 units: of an ASCII character of words its lower case, of other ASCII `NO_WORD`. */
const CODES: Uint8Array = /* @__PURE__ */ codesOfUnits()
const SPACE = 0x20
const LAST_ASCII = 0x7f

/** So many tokens of a text are found by their hashes, or a few less. A power of two. */
const PLACES = 2 ** 17
/** Numbers of each place: two hashes of a token, and the last text that had it. */
const [SECOND, TEXT, FIELDS] = [1, 2, 4]
/** Texts of so many UTF-16 units leave no buffer behind. */
const LONG = 2 ** 20
const IS_BIG_ENDIAN = /* @__PURE__ */ new Uint8Array(Uint16Array.of(1).buffer)[0] === 0

/**
 * Splits texts into tokens. A word is compared with the earlier ones of its text by 64 bits of hashes, and copied where it is new: most
 * words of a text stand in it several times, and cost no string.
 */
export class TextTokenizer {
  readonly #neighbours = new Neighbours()
  /** A taken place is followed by the next one. What earlier texts have taken is free. */
  readonly #places = new Int32Array(FIELDS * PLACES)
  /** Of the second hash, which decides about places, too: so that no text can be made of words that have the same. Odd. */
  readonly #key = Math.floor(Math.random() * 2 ** 32) | 1
  #buffer = Buffer.alloc(0)
  #units = new Uint16Array(0)
  #text = 0
  /** Of the places that the text uses, of which at least a half stay free. */
  #mask = 0
  #taken = 0
  /** Tokens of the text that have no place. */
  readonly #others = new Set<string>()

  /**
   * @param isWithinWords whether terms match the text by its characters, too: each one of scripts without spaces is a token then
   */
  tokens(text: string, isWithinWords: boolean): TextTokens {
    this.#text += 1
    this.#mask = Math.min(2 ** (32 - Math.clz32(text.length)), PLACES) - 1
    this.#taken = 0
    this.#others.clear()
    const odd: OddWords = new Map()
    const plain = this.#plainWords(text, odd)
    const words = plain === "" ? [] : [plain]
    const pairs: string[] = []
    for (const found of odd.values())
      for (const word of found) {
        if (isSpaced(word)) this.#addNew(words, word)
        else for (const pair of isWithinWords ? [...pairsOf(word), ...word] : pairsOf(word)) this.#addNew(pairs, pair)
      }
    return {
      words: words.join(" "),
      pairs: pairs.join(" "),
      neighbours: this.#neighbours.take(),
    }
  }

  /** The words of ASCII characters. @param odd takes what has other characters, and what has no place */
  #plainWords(text: string, odd: OddWords): string {
    const { length } = text
    const words = this.#bufferFor(length)
    const units = this.#unitsOf(text)
    const key = this.#key
    let [to, from, hash, second, codes] = [0, 0, EMPTY_HASH, key, 0]
    for (let at = 0; at <= length; at++) {
      const code = CODES[units[at] as number] as number
      if (code !== NO_WORD) {
        codes |= code
        hash = Math.imul(hash ^ code, HASH_PRIME)
        second = Math.imul(second ^ code, key)
        continue
      }
      if (at > from) {
        const isNew = codes > LAST_ASCII ? undefined : this.#take(hash, second)
        if (isNew === undefined)
          for (const word of this.#oddWords(odd, text.slice(from, at))) this.#neighbours.add(hashOf(word))
        else {
          this.#neighbours.add(hash)
          if (isNew) {
            if (to > 0) words[to++] = SPACE
            for (let unit = from; unit < at; unit++) words[to++] = CODES[units[unit] as number] as number
          }
        }
        hash = EMPTY_HASH
        second = key
        codes = 0
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
    const isNew = this.#take(hash, second)
    if (isNew === false || this.#others.has(token)) return
    tokens.push(token)
    if (isNew) return
    this.#others.add(token)
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
    return true
  }

  #oddWords(odd: OddWords, run: string): readonly string[] {
    const found = odd.get(run)
    if (found !== undefined) return found
    const words = wordsOf(foldText(run))
    odd.set(run, words)
    return words
  }

  /** The UTF-16 units of a text, and one that is in no word. */
  #unitsOf(text: string): Uint16Array {
    const { length } = text
    if (length > LONG) return withUnits(new Uint16Array(length + 1), text)
    if (this.#units.length <= length) this.#units = new Uint16Array(2 * length + 1)
    return withUnits(this.#units, text)
  }

  #bufferFor(length: number): Buffer {
    if (length > LONG) return Buffer.allocUnsafe(length)
    if (this.#buffer.length < length) this.#buffer = Buffer.allocUnsafe(2 * length)
    return this.#buffer
  }
}

/** The words of what is between two of the ASCII characters that are in no word: it is folded by itself as it is within the text. */
type OddWords = Map<string, readonly string[]>

function withUnits(units: Uint16Array, text: string): Uint16Array {
  const bytes = Buffer.from(units.buffer, 0, 2 * text.length)
  bytes.write(text, "utf16le")
  if (IS_BIG_ENDIAN) bytes.swap16()
  units[text.length] = SPACE
  return units
}

function codesOfUnits(): Uint8Array {
  const codes = new Uint8Array(2 ** 16).fill(ODD).fill(NO_WORD, 0, 0x80)
  for (const word of "0123456789abcdefghijklmnopqrstuvwxyz")
    for (const character of [word, word.toUpperCase()]) codes[character.charCodeAt(0)] = word.charCodeAt(0)
  return codes
}
