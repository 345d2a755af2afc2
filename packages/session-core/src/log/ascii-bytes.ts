import { encodeText } from "./format-line.js"

/** Whether the bytes from `at` on are those of the pattern. */
export function startsWithAt(bytes: Uint8Array, at: number, pattern: Uint8Array): boolean {
  if (at < 0 || at + pattern.length > bytes.length) return false
  for (let index = 0; index < pattern.length; index++) if (bytes[at + index] !== pattern[index]) return false
  return true
}

/** Looks for one pattern in bytes. A longer pattern is found faster: most bytes are jumped over (Horspool's way). */
export class BytePattern {
  readonly bytes: Uint8Array
  readonly #jumps: Uint8Array

  /** @param text ASCII, at most 255 characters */
  constructor(text: string) {
    this.bytes = encodeText(text)
    const last = this.bytes.length - 1
    this.#jumps = new Uint8Array(256).fill(last + 1)
    for (let index = 0; index < last; index++) this.#jumps[this.bytes[index] as number] = last - index
  }

  /** Where the pattern stands first between `from` and `to`; -1 where it does not. */
  indexIn(bytes: Uint8Array, from: number, to: number): number {
    const jumps = this.#jumps
    const last = this.bytes.length - 1
    const end = this.bytes[last]
    for (let at = from + last; at < to; ) {
      const byte = bytes[at] as number
      if (byte === end && startsWithAt(bytes, at - last, this.bytes)) return at - last
      at += jumps[byte] as number
    }
    return -1
  }
}
