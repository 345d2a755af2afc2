import { encodeText } from "./format-line.js"

/** Whether the bytes from `at` on are those of the pattern. */
export function startsWithAt(bytes: Uint8Array, at: number, pattern: Uint8Array): boolean {
  if (at < 0 || at + pattern.length > bytes.length) return false
  for (let index = 0; index < pattern.length; index++) if (bytes[at + index] !== pattern[index]) return false
  return true
}

/** Searches bytes for one pattern. A longer pattern is found faster, since most bytes are skipped (Horspool's algorithm). */
export class BytePattern {
  readonly bytes: Uint8Array
  /** By byte: how far the end of the pattern may move on from it, so that it and its like in the pattern come together. */
  readonly #jumps: Uint8Array

  /** @param text ASCII, at most 255 characters */
  constructor(text: string) {
    this.bytes = encodeText(text)
    const last = this.bytes.length - 1
    this.#jumps = new Uint8Array(256).fill(last + 1)
    for (let index = 0; index < last; index++) this.#jumps[this.bytes[index] as number] = last - index
  }

  /** The index of the first occurrence between `from` and `to`; -1 if there is none. */
  indexIn(bytes: Uint8Array, from: number, to: number): number {
    const [pattern, jumps] = [this.bytes, this.#jumps]
    const last = pattern.length - 1
    const end = pattern[last]
    for (let at = from + last; at < to; ) {
      const byte = bytes[at] as number
      if (byte === end && bytes[at - last + 1] === pattern[1] && startsWithAt(bytes, at - last, pattern))
        return at - last
      at += jumps[byte] as number
    }
    return -1
  }
}

/** The pieces in one array; a single piece is not copied. */
export function joinBytes(pieces: readonly Uint8Array[]): Uint8Array {
  if (pieces.length === 1 && pieces[0]) return pieces[0]
  const whole = new Uint8Array(pieces.reduce((sum, piece) => sum + piece.length, 0))
  let at = 0
  for (const piece of pieces) {
    whole.set(piece, at)
    at += piece.length
  }
  return whole
}

/**
 * A number that other bytes hardly have: 53 bits, FNV-1a twice. It detects accidents, not attacks.
 */
export function fingerprint(bytes: Uint8Array): number {
  let low = 0x811c9dc5
  let high = 0x1b873593
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at] as number
    low = Math.imul(low ^ byte, 0x01000193)
    high = Math.imul(high ^ byte, 0x85ebca6b)
  }
  return (high >>> 11) * 0x100000000 + ((low ^ (low >>> 15)) >>> 0)
}
