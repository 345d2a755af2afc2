/** So many words are remembered, or fewer: each hash has one place. A power of two. */
const PLACES = 2 ** 17
/** Numbers of each place: two hashes of a word, and the newest row that has it, which takes two. */
const [SECOND, FIELDS] = [1, 4]
/** No row that is remembered has this id, so that the memory of places that are never used is never touched. */
const FREE = 0

/** The newest row that has each word, by the two hashes of a `TextTokenizer`: most words of a text are known, and cost no string. */
export class KnownWords {
  readonly #hashes = new Int32Array(FIELDS * PLACES)
  readonly #rows = new Float64Array(this.#hashes.buffer)

  /** Remembers that a row has a word, in place of another word. @returns false where a newer row is known to have it */
  note(hash: number, second: number, row: number): boolean {
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

  forget(): void {
    this.#rows.fill(FREE)
  }
}
