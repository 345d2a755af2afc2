import type { Chunks } from "../ports/session-storage.js"

/** Bytes that can be appended to without copying all of them each time: the capacity doubles when it is used up. */
export class GrowingBytes {
  #buffer = new Uint8Array(1024)
  #size = 0

  static async of(chunks: Chunks): Promise<GrowingBytes> {
    const bytes = new GrowingBytes()
    for await (const chunk of chunks) bytes.append(chunk)
    return bytes
  }

  get size(): number {
    return this.#size
  }

  append(bytes: Uint8Array): void {
    const size = this.#size + bytes.length
    if (size > this.#buffer.length) this.#grow(Math.max(size, 2 * this.#buffer.length))
    this.#buffer.set(bytes, this.#size)
    this.#size = size
  }

  /** A copy of the range; shorter if the bytes end before. */
  read(offset: number, length: number): Uint8Array {
    return this.#buffer.slice(offset, Math.min(offset + length, this.#size))
  }

  #grow(capacity: number): void {
    const grown = new Uint8Array(capacity)
    grown.set(this.#buffer)
    this.#buffer = grown
  }
}
