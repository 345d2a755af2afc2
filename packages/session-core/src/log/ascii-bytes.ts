import { encodeText } from "./format-line.js"

/** Whether the bytes from `at` on are those of the pattern. */
export function startsWithAt(bytes: Uint8Array, at: number, pattern: Uint8Array): boolean {
  if (at < 0 || at + pattern.length > bytes.length) return false
  for (let index = 0; index < pattern.length; index++) if (bytes[at + index] !== pattern[index]) return false
  return true
}

const QUOTE = 0x22
const BACKSLASH = 0x5c

/** Longer strings are not looked at. Bytes. */
const LONGEST = 255

/** The index of the quote that ends a short string of printable ASCII without escapes; -1 where it is another one. */
export function plainStringEnd(bytes: Uint8Array, from: number): number {
  const last = Math.min(bytes.length, from + LONGEST)
  for (let at = from; at < last; at++) {
    const byte = bytes[at] as number
    if (byte === QUOTE) return at
    if (byte === BACKSLASH || byte < 0x20 || byte > 0x7e) return -1
  }
  return -1
}

/** The text of a range of printable ASCII, in one piece: pieces that are put together keep all of them in memory. */
export function plainText(bytes: Uint8Array, from: number, to: number): string {
  if (to - from === 8) return eight(bytes, from)
  return String.fromCharCode.apply(null, bytes.subarray(from, to) as unknown as number[])
}

/** Nearly all ids. */
function eight(bytes: Uint8Array, at: number): string {
  const [a, b, c, d] = [bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]] as [number, number, number, number]
  const [e, f, g, h] = [bytes[at + 4], bytes[at + 5], bytes[at + 6], bytes[at + 7]] as [number, number, number, number]
  return String.fromCharCode(a, b, c, d, e, f, g, h)
}

/** Looks for one pattern in bytes. A longer pattern is found faster: most bytes are jumped over (Horspool's way). */
export class BytePattern {
  readonly bytes: Uint8Array
  readonly #jumps: Uint8Array

  /** @param text ASCII, at most 255 characters */
  constructor(text: string) {
    this.bytes = encodeText(text)
    this.#jumps = jumpsOf(this.bytes)
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

/** By byte: how far the end of a pattern may go on from it, so that it and its like in the pattern come together. */
export function jumpsOf(pattern: Uint8Array): Uint8Array {
  const last = pattern.length - 1
  const jumps = new Uint8Array(256).fill(last + 1)
  for (let index = 0; index < last; index++) jumps[pattern[index] as number] = last - index
  return jumps
}
