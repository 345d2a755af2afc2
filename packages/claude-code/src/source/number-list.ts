type Numbers = Uint8Array | Int32Array | Uint32Array | Float64Array

const FIRST_CAPACITY = 64

/** A growing list of numbers that takes as many bytes for each as its array has. */
export class NumberList {
  length = 0
  #numbers: Numbers

  /** @param Kind of array: it says which numbers fit */
  constructor(Kind: new (length: number) => Numbers) {
    this.#numbers = new Kind(FIRST_CAPACITY)
  }

  at(index: number): number {
    return this.#numbers[index] ?? 0
  }

  push(number: number): void {
    if (this.length === this.#numbers.length) this.#grow()
    this.#numbers[this.length] = number
    this.length += 1
  }

  #grow(): void {
    const numbers = new (this.#numbers.constructor as new (length: number) => Numbers)(this.#numbers.length * 2)
    numbers.set(this.#numbers)
    this.#numbers = numbers
  }
}
