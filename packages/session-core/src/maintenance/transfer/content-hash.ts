import { encodeText } from "../../log/format-line.js"

/** A hash of 53 bits (cyrb53), to compare contents with: not safe against contents that were made to collide. */
export class ContentHash {
  #a = 0xdeadbeef
  #b = 0x41c6ce57

  addBytes(bytes: Uint8Array): this {
    let [a, b] = [this.#a, this.#b]
    for (let at = 0; at < bytes.length; at++) {
      const byte = bytes[at] as number
      a = Math.imul(a ^ byte, 2654435761)
      b = Math.imul(b ^ byte, 1597334677)
    }
    this.#a = a
    this.#b = b
    return this
  }

  addText(text: string): this {
    return this.addBytes(encodeText(text))
  }

  /** In base 36. */
  toString(): string {
    const [x, y] = [this.#a, this.#b]
    const a = Math.imul(x ^ (x >>> 16), 2246822507) ^ Math.imul(y ^ (y >>> 13), 3266489909)
    const b = Math.imul(y ^ (y >>> 16), 2246822507) ^ Math.imul(a ^ (a >>> 13), 3266489909)
    return (4294967296 * (2097151 & b) + (a >>> 0)).toString(36)
  }
}
