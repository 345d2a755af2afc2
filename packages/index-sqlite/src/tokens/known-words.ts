const PLACES = 2 ** 19
/** So many words are remembered between transactions. */
const REMEMBERED = 2 ** 18
/** No row that is remembered has this id, so that the memory of places that are never used is never touched. */
const FREE = 0

/** The newest row that has each word, by the two hashes of a `TextTokenizer`: most words of a text are known, and cost no string. */
export class KnownWords {
  readonly #hashes = new Int32Array(2 * PLACES)
  /** A taken place is followed by the next one. */
  readonly #rows = new Float64Array(PLACES)
  #count = 0

  get isFull(): boolean {
    return this.#count >= REMEMBERED
  }

  /** Remembers that a row has a word, if there is a place for it. @returns false where a newer row is known to have it */
  note(hash: number, second: number, row: number): boolean {
    if (row === FREE) return true
    const [hashes, rows] = [this.#hashes, this.#rows]
    let at = (second ^ (second >>> 15)) & (PLACES - 1)
    while (rows[at] !== FREE && (hashes[2 * at] !== hash || hashes[2 * at + 1] !== second)) at = (at + 1) & (PLACES - 1)
    if (rows[at] === FREE) {
      if (this.isFull) return true
      this.#count += 1
      hashes[2 * at] = hash
      hashes[2 * at + 1] = second
    } else if ((rows[at] as number) <= row) return false
    rows[at] = row
    return true
  }

  forget(): void {
    if (this.#count > 0) this.#rows.fill(FREE)
    this.#count = 0
  }
}
