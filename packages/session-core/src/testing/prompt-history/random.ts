/** Random numbers from a seed, so that a failing test can be repeated. */
export class Random {
  #state: number

  constructor(seed: number) {
    this.#state = seed
  }

  /** From 0 up to, but not including, `limit`. */
  below(limit: number): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return (((mixed ^ (mixed >>> 14)) >>> 0) % limit) | 0
  }

  pick<Value>(values: ArrayLike<Value>): Value {
    return values[this.below(values.length)] as Value
  }

  /** Picks earlier values more often, like the frequencies of words. */
  pickEarly<Value>(values: ArrayLike<Value>): Value {
    return values[Math.min(this.below(values.length), this.below(values.length), this.below(values.length))] as Value
  }
}
