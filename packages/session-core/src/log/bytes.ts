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
 * A number that other bytes hardly have: 53 bits, from two products that take four bytes at a time. It detects accidents, not attacks.
 */
export function fingerprint(bytes: Uint8Array): number {
  let low = 0x811c9dc5 ^ bytes.length
  let high = 0x1b873593
  const whole = bytes.length & ~3
  for (let at = 0; at < whole; at += 4) {
    const word =
      (bytes[at] as number) |
      ((bytes[at + 1] as number) << 8) |
      ((bytes[at + 2] as number) << 16) |
      ((bytes[at + 3] as number) << 24)
    // Rotated, so that the upper bits of a word change the lower ones of the number, too.
    low = Math.imul(((low << 13) | (low >>> 19)) ^ word, 0x01000193)
    high = Math.imul(((high << 17) | (high >>> 15)) ^ word, 0x85ebca6b)
  }
  for (let at = whole; at < bytes.length; at++) {
    const byte = bytes[at] as number
    low = Math.imul(((low << 13) | (low >>> 19)) ^ byte, 0x01000193)
    high = Math.imul(((high << 17) | (high >>> 15)) ^ byte, 0x85ebca6b)
  }
  return (mixed(high) >>> 11) * 0x100000000 + mixed(low)
}

/** Each bit of the number changes about half of those of the result. */
function mixed(number: number): number {
  let bits = Math.imul(number ^ (number >>> 16), 0x85ebca6b)
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35)
  return (bits ^ (bits >>> 16)) >>> 0
}
