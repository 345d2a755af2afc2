/**
 * The part of a line that was met so far, in memory that is used again for the next one: taking new memory for each would cost
 * more than all of the copying.
 */
export class HeldBytes {
  #room = new Uint8Array(8 * 1024)
  /** What is held is `[from, to)` of the room. */
  #from: number
  #to: number
  readonly #isBackward: boolean

  /** @param isBackward what comes next stands before what is held */
  constructor(isBackward: boolean) {
    this.#isBackward = isBackward
    this.#from = this.#to = isBackward ? this.#room.length : 0
  }

  get length(): number {
    return this.#to - this.#from
  }

  add(bytes: Uint8Array): void {
    const length = this.length + bytes.length
    if (length > this.#room.length) this.#move(new Uint8Array(length * 2))
    if (this.#isBackward) this.#from -= bytes.length
    this.#room.set(bytes, this.#isBackward ? this.#from : this.#to)
    if (!this.#isBackward) this.#to += bytes.length
  }

  /** What was held, followed (or preceded) by the last bytes. It is good until more is added. */
  take(last: Uint8Array): Uint8Array {
    if (this.length === 0) return last
    this.add(last)
    const whole = this.#room.subarray(this.#from, this.#to)
    this.#from = this.#to = this.#isBackward ? this.#room.length : 0
    return whole
  }

  #move(room: Uint8Array<ArrayBuffer>): void {
    const { length } = this
    const from = this.#isBackward ? room.length - length : 0
    room.set(this.#room.subarray(this.#from, this.#to), from)
    this.#room = room
    this.#from = from
    this.#to = from + length
  }
}
