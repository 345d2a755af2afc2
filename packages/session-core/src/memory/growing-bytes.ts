/** Bytes that can be appended to without copying all of them each time: the capacity doubles when it is used up. */
export class GrowingBytes {
  #buffer = new Uint8Array(1024)
  #size = 0

  append(bytes: Uint8Array): void {
    const size = this.#size + bytes.length
    if (size > this.#buffer.length) {
      const grown = new Uint8Array(Math.max(size, 2 * this.#buffer.length))
      grown.set(this.#buffer)
      this.#buffer = grown
    }
    this.#buffer.set(bytes, this.#size)
    this.#size = size
  }

  /** A copy of the range; shorter if the bytes end before. */
  read(offset: number, length: number): Uint8Array {
    return this.#buffer.slice(offset, Math.min(offset + length, this.#size))
  }
}
