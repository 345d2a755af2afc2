/** The bytes of a session, so that any range can be read again. They are outside of the JavaScript heap. */
export class ByteStore {
  readonly #chunks: { readonly from: number; readonly bytes: Uint8Array<ArrayBuffer> }[] = []
  #size = 0

  /** The number of bytes. */
  get size(): number {
    return this.#size
  }

  append(bytes: Uint8Array<ArrayBuffer>): void {
    if (bytes.length === 0) return
    this.#chunks.push({ from: this.#size, bytes })
    this.#size += bytes.length
  }

  /** The bytes of a range; a view if they are in one chunk. */
  read(offset: number, length: number): Uint8Array {
    let at = this.#chunkAt(offset)
    const first = this.#chunks[at]
    if (!first) return new Uint8Array()
    const begin = offset - first.from
    if (begin + length <= first.bytes.length) return first.bytes.subarray(begin, begin + length)
    const whole = new Uint8Array(Math.min(length, this.#size - offset))
    for (let filled = 0; filled < whole.length; at++) {
      const chunk = this.#chunks[at]
      if (!chunk) break
      const part = chunk.bytes.subarray(filled === 0 ? begin : 0, (filled === 0 ? begin : 0) + whole.length - filled)
      whole.set(part, filled)
      filled += part.length
    }
    return whole
  }

  /** All bytes, in the chunks in which they were added. */
  pieces(): Uint8Array<ArrayBuffer>[] {
    return this.#chunks.map(({ bytes }) => bytes)
  }

  #chunkAt(offset: number): number {
    let low = 0
    let high = this.#chunks.length - 1
    while (low < high) {
      const middle = (low + high + 1) >> 1
      if ((this.#chunks[middle]?.from ?? 0) <= offset) low = middle
      else high = middle - 1
    }
    return low
  }
}
