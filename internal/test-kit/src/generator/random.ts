/** Random numbers that are the same for the same seed (mulberry32). */
export class Random {
  #state: number

  constructor(seed: number) {
    this.#state = seed >>> 0
  }

  /** At least 0, below 1. */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }

  /** A whole number from 0, below `end`. */
  below(end: number): number {
    return Math.floor(this.next() * end)
  }

  /** A whole number; both ends are possible. */
  between(min: number, max: number): number {
    return min + this.below(max - min + 1)
  }

  chance(probability: number): boolean {
    return this.next() < probability
  }

  pick<Item>(items: readonly Item[]): Item {
    const item = items[this.below(items.length)]
    if (item === undefined) throw new RangeError("Nothing can be picked from an empty list.")
    return item
  }

  /**
   * A whole number with the given mean and a long tail, as the sizes of texts have: most are small, a few very large.
   * @param spread with 1.1, one in ten is more than 4 times as large as the median; with 2, more than 13 times
   */
  size(mean: number, spread = 1.1): number {
    const bell = Math.sqrt(-2 * Math.log(1 - this.next())) * Math.cos(2 * Math.PI * this.next())
    return Math.max(1, Math.round(mean * Math.exp(spread * bell - spread ** 2 / 2)))
  }

  /** Hex digits in lower case. */
  hex(length: number): string {
    let digits = ""
    while (digits.length < length)
      digits += this.below(2 ** 32)
        .toString(16)
        .padStart(8, "0")
    return digits.slice(0, length)
  }
}
