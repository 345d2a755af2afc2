import { EMPTY_HASH, HASH_PRIME, LONGEST } from "./token-hash.js"

/** So many words are remembered between texts. */
const REMEMBERED = 200_000
/** More than twice as many, so that most places that are looked at are free. */
const MASK = 2 ** 19 - 1

const NO_WORD = 0
const ODD = 0xff
/** For each ASCII character of words its lower case, for the others `NO_WORD`. */
const LOWER_CASE: Uint8Array = /* @__PURE__ */ Uint8Array.from({ length: 0x80 }, (_, code) =>
  /[a-z0-9]/i.test(String.fromCharCode(code)) ? String.fromCharCode(code).toLowerCase().charCodeAt(0) : NO_WORD,
)

/**
 * Splits texts into words. Most words of a text stood in earlier ones: each is one string, found by a hash of its characters in place,
 * and no text needs a set of slices.
 */
export class AsciiWords {
  /** The numbers of words by their hashes; a taken place is followed by the next one. 0 is free. */
  readonly #places = new Int32Array(MASK + 1)
  /** By their numbers, from 1 on. */
  readonly #words: string[] = [""]
  readonly #hashes = new Int32Array(REMEMBERED + 1)
  /** The last text that had the word. */
  readonly #lastTexts = new Int32Array(REMEMBERED + 1)
  #text = 0
  #hash = 0

  /** The sum of `hashToSum` of the words that `split` returned last. 32 bits. */
  get hash(): number {
    return this.#hash
  }

  /**
   * The words of a text, folded, which is split at the ASCII characters that are in no word: each once.
   * @param odd takes what has other characters, and what cannot be remembered any more, as it is
   */
  split(text: string, odd: Set<string>): string[] {
    if (this.#words.length > REMEMBERED) this.#forget()
    this.#text += 1
    this.#hash = 0
    const words: string[] = []
    let from = -1
    let hash = EMPTY_HASH
    let isOdd = false
    for (let at = 0; at <= text.length; at++) {
      const unit = at === text.length ? 0 : text.charCodeAt(at)
      const code = unit < 0x80 ? (LOWER_CASE[unit] as number) : ODD
      if (code !== NO_WORD) {
        if (from === -1) from = at
        if (code === ODD) isOdd = true
        hash = Math.imul(hash ^ code, HASH_PRIME)
      } else if (from !== -1) {
        if (isOdd || !this.#add(words, text, from, at, hash)) odd.add(text.slice(from, at))
        from = -1
        hash = EMPTY_HASH
        isOdd = false
      }
    }
    return words
  }

  /** @returns false, and adds nothing, for a new word that cannot be remembered */
  #add(words: string[], text: string, from: number, to: number, hash: number): boolean {
    let place = (hash ^ (hash >>> 15)) & MASK
    let n = this.#places[place] as number
    while (n !== 0 && !(this.#hashes[n] === hash && isWord(this.#words[n] as string, text, from, to))) {
      place = (place + 1) & MASK
      n = this.#places[place] as number
    }
    if (n === 0) {
      n = this.#words.length
      if (n > REMEMBERED) return false
      this.#places[place] = n
      this.#hashes[n] = hash
      // A slice would keep its text in memory.
      this.#words.push(Buffer.from(text.slice(from, to).toLowerCase(), "latin1").toString("latin1"))
    } else if (this.#lastTexts[n] === this.#text) return true
    this.#lastTexts[n] = this.#text
    words.push(this.#words[n] as string)
    if (to - from <= LONGEST) this.#hash = (this.#hash + (hash | 1)) | 0
    return true
  }

  #forget(): void {
    this.#places.fill(0)
    this.#words.length = 1
  }
}

function isWord(word: string, text: string, from: number, to: number): boolean {
  if (word.length !== to - from) return false
  for (let at = from; at < to; at++) if (LOWER_CASE[text.charCodeAt(at)] !== word.charCodeAt(at - from)) return false
  return true
}
