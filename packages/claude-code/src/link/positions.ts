/** Positions of records by the number of their id, in typed arrays: a Map takes three times the memory. */
export class Positions {
  /** Numbers of ids, each in the first free place from its hash on; at most half of the places are taken. */
  readonly #numbers: Int32Array
  readonly #positions: Int32Array

  /** @param most how many are added at most */
  constructor(most: number) {
    const places = 2 ** Math.ceil(Math.log2(most * 2 + 2))
    this.#numbers = new Int32Array(places)
    this.#positions = new Int32Array(places)
  }

  get(number: number): number | undefined {
    const place = this.#placeOf(number)
    return this.#numbers[place] === number ? this.#positions[place] : undefined
  }

  /** @param number of an id, not 0 */
  set(number: number, position: number): void {
    const place = this.#placeOf(number)
    this.#numbers[place] = number
    this.#positions[place] = position
  }

  #placeOf(number: number): number {
    const mask = this.#numbers.length - 1
    let place = Math.imul(number, 0x9e3779b1) & mask
    for (let other = this.#numbers[place]; other !== 0 && other !== number; other = this.#numbers[place])
      place = (place + 1) & mask
    return place
  }
}
