/** So many words are remembered, or fewer: each hash has one place. A power of two. */
const PLACES = 2 ** 17
/** No row that is remembered has this id, so that the memory of places that are never used is never touched. */
const FREE = 0

/** The newest row that has each word, by the two hashes of a `TextTokenizer`: most words of a text are known, and cost no string. */
export class KnownWords {
  readonly #hashes = new Int32Array(2 * PLACES)
  readonly #rows = new Float64Array(PLACES)

  /** Remembers that a row has a word, in place of another word. @returns false where a newer row is known to have it */
  note(hash: number, second: number, row: number): boolean {
    const [hashes, rows] = [this.#hashes, this.#rows]
    const at = (second ^ (second >>> 15)) & (PLACES - 1)
    const isKnown = rows[at] !== FREE && hashes[2 * at] === hash && hashes[2 * at + 1] === second
    if (isKnown && (rows[at] as number) <= row) return false
    hashes[2 * at] = hash
    hashes[2 * at + 1] = second
    rows[at] = row
    return true
  }

  forget(): void {
    this.#rows.fill(FREE)
  }
}
