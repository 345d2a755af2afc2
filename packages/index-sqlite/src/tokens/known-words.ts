import { EMPTY_HASH, HASH_PRIME } from "./token-hash.js"

/** So many words are remembered, or fewer: each hash has one place. A power of two. */
const PLACES = 2 ** 17
/** Numbers of each place: two hashes of a word, and the newest row that has it, which takes two. */
const [SECOND, FIELDS] = [1, 4]
/** No row that is remembered has this id, so that the memory of places that are never used is never touched. */
const FREE = 0
const SPACE = 0x20

/** The newest row that has each word, by two hashes of it: most words of a text are known, and cost no string. */
export class KnownWords {
  readonly #hashes = new Int32Array(FIELDS * PLACES)
  readonly #rows = new Float64Array(this.#hashes.buffer)
  /** Of the second hash: so that no text can be made of words that have the same. Odd. */
  readonly #key = Math.floor(Math.random() * 2 ** 32) | 1

  /**
   * Remembers that a row has words, in place of other words.
   * @param words with a space between two
   * @returns those that no newer row is known to have
   */
  note(words: string, row: number): string[] {
    const fresh: string[] = []
    const key = this.#key
    let [from, hash, second] = [0, EMPTY_HASH, key]
    for (let at = 0; at <= words.length; at++) {
      const unit = at < words.length ? words.charCodeAt(at) : SPACE
      if (unit !== SPACE) {
        hash = Math.imul(hash ^ unit, HASH_PRIME)
        second = Math.imul(second ^ unit, key)
        continue
      }
      if (at > from && this.#noteOne(hash, second, row)) fresh.push(words.slice(from, at))
      from = at + 1
      hash = EMPTY_HASH
      second = key
    }
    return fresh
  }

  forget(): void {
    this.#rows.fill(FREE)
  }

  #noteOne(hash: number, second: number, row: number): boolean {
    const [hashes, rows] = [this.#hashes, this.#rows]
    const at = FIELDS * ((second ^ (second >>> 15)) & (PLACES - 1))
    const rowAt = at / 2 + 1
    const known = rows[rowAt] as number
    if (known !== FREE && known <= row && hashes[at] === hash && hashes[at + SECOND] === second) return false
    hashes[at] = hash
    hashes[at + SECOND] = second
    rows[rowAt] = row
    return true
  }
}
