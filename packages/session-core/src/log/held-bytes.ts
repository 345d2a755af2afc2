import { LONGEST_LINE } from "./line.js"

/**
 * The part of a line that was met so far, in memory that is used again for the next one: taking new memory for each would cost
 * more than all of the copying. Of a line that is too long to be read nothing is kept but its length.
 */
export class HeldBytes {
  /** How many bytes were met. */
  length = 0
  #room = new Uint8Array(8 * 1024)
  readonly #isBackward: boolean

  /** @param isBackward what comes next stands before what is held */
  constructor(isBackward: boolean) {
    this.#isBackward = isBackward
  }

  add(bytes: Uint8Array): void {
    const held = this.#held()
    this.length += bytes.length
    if (this.length > LONGEST_LINE) this.#room = new Uint8Array()
    else {
      if (this.length > this.#room.length) {
        this.#room = new Uint8Array(this.length * 2)
        this.#room.set(held, this.#isBackward ? this.#room.length - held.length : 0)
      }
      this.#room.set(bytes, this.#isBackward ? this.#room.length - this.length : held.length)
    }
  }

  /** What was held, followed (or preceded) by the last bytes; empty where that is too long. It is good until more is added. */
  take(last: Uint8Array): Uint8Array {
    if (this.length === 0) return last
    this.add(last)
    const whole = this.#held()
    this.length = 0
    return whole
  }

  #held(): Uint8Array {
    const room = this.#room
    return this.#isBackward ? room.subarray(room.length - this.length) : room.subarray(0, this.length)
  }
}
